# syntax=docker/dockerfile:1
# The image of Orrery: Node, the package, and nothing else (no shell, no package manager).
#
#   docker build -t orrery .
#   docker run --rm -p 8080:8080 --read-only --tmpfs /tmp orrery

FROM node:22-bookworm-slim AS build
WORKDIR /src
# The packages change less often than the sources, so they have a layer of their own.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node build.mjs package

FROM gcr.io/distroless/nodejs22-debian12:nonroot
LABEL org.opencontainers.image.title="Orrery" \
      org.opencontainers.image.description="A distributed SQL engine that speaks the Presto statement protocol" \
      org.opencontainers.image.licenses="Apache-2.0"
# Owned by root: the program cannot change itself.
COPY --from=build /src/package.json /src/LICENSE /opt/orrery/
COPY --from=build /src/dist/package /opt/orrery/dist/package
COPY deploy/image/etc /etc/orrery
ENV NODE_ENV=production \
    ORRERY_HOST=0.0.0.0 \
    ORRERY_ETC=/etc/orrery
# The user `nonroot` of the base image, by number, so that an orchestrator can see that it is not root.
USER 65532:65532
WORKDIR /tmp
EXPOSE 8080
# The first signal drains the node; the program handles it as process 1.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 CMD ["/nodejs/bin/node", "/opt/orrery/dist/package/orrery.js", "healthcheck"]
ENTRYPOINT ["/nodejs/bin/node", "/opt/orrery/dist/package/orrery.js"]
CMD ["server"]
