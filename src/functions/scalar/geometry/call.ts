/**
 * Shared by the geometry functions: decoding of arguments, encoding of results, checks of geometry kinds.
 */
import type { HostImplementation, HostSteps, HostValue } from "../../registry/definition.ts";
import { invalidArgument } from "../../runtime/nested-values.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { type Geometry, type GeometryKind, isEmpty, kindName } from "./geometry.ts";
import { readGeometry, writeWkb } from "./encoding/wkb.ts";

export function geometryOf(value: HostValue | undefined): Geometry {
  return readGeometry(value as Uint8Array);
}

export function bytesOf(geometry: Geometry | undefined): HostValue {
  return geometry === undefined ? null : writeWkb(geometry);
}

/** `ST_X only applies to POINT. Input type is: POLYGON` */
export function ofKind<Kind extends GeometryKind>(
  name: string,
  value: HostValue | undefined,
  ...kinds: readonly Kind[]
): Extract<Geometry, { readonly kind: Kind }> {
  const geometry = geometryOf(value);
  return (kinds as readonly GeometryKind[]).includes(geometry.kind)
    ? (geometry as Extract<Geometry, { readonly kind: Kind }>)
    : invalidArgument(`${name} only applies to ${kinds.map(kindName).join(" or ")}. Input type is: ${kindName(geometry.kind)}`);
}

/** Adapts a function of one geometry. */
export function ofGeometry(implementation: (geometry: Geometry) => HostValue): HostImplementation {
  return ([value]) => implementation(geometryOf(value));
}

/** Adapts a function of one geometry in steps. */
export function ofGeometryInSteps(implementation: (geometry: Geometry) => InSteps<HostValue>): HostSteps {
  return ([value]) => implementation(geometryOf(value));
}

/** Adapts a function of two non-empty geometries; NULL if either is empty. */
export function ofFilled(implementation: (left: Geometry, right: Geometry) => InSteps<HostValue>): HostSteps {
  return ([one, other]) => {
    const [left, right] = [geometryOf(one), geometryOf(other)];
    return isEmpty(left) || isEmpty(right) ? nothing() : implementation(left, right);
  };
}

// oxlint-disable-next-line require-yield
function* nothing(): InSteps<HostValue> {
  return null;
}
