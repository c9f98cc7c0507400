/** Fields of the filters. Text fields change the address a moment after the last key. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ListedQuery } from "../api/documents.ts";
import { chosenStates, errorTypes, type FilterName, type Filters, limits, sorts, stateGroups, toggleStates } from "./filters.ts";

const typingMs = 250;

interface FilterBarProps {
  readonly filters: Filters;
  /** Their users and sources are offered. */
  readonly queries: readonly ListedQuery[];
  readonly onChange: (changes: Partial<Filters>) => void;
}

export function FilterBar({ filters, queries, onChange }: FilterBarProps): JSX.Element {
  const { values } = filters;
  const set = (name: FilterName, value: string): void => onChange({ values: { ...values, [name]: value } });
  const count = [values.user, values.source, values.errorType].filter((value) => value !== "").length;
  return (
    <div class="filters" role="search" aria-label="Filter the queries">
      <SearchField value={values.search} onChange={(value) => set("search", value)} />
      <StateFilter state={values.state} onChange={(value) => set("state", value)} />
      <MoreFilters count={count}>
        <TextFilter
          label="User"
          value={values.user}
          known={queries.map(({ session }) => session.user)}
          onChange={(value) => set("user", value)}
        />
        <TextFilter
          label="Source"
          value={values.source}
          known={queries.map(({ session }) => session.source ?? "")}
          onChange={(value) => set("source", value)}
        />
        <Choice
          label="Error type"
          value={values.errorType.toUpperCase()}
          options={[["", "Any error"], ...errorTypes]}
          onChange={(value) => set("errorType", value)}
        />
        <Choice label="Sort" value={filters.sort} options={sortOptions(filters.sort)} onChange={(sort) => onChange({ sort })} />
        <Choice
          label="Rows on a page"
          value={String(filters.limit)}
          options={limits.map((limit) => [String(limit), `${limit} rows`])}
          onChange={(limit) => onChange({ limit: Number(limit) })}
        />
      </MoreFilters>
    </div>
  );
}

/** An order that a column's head chose is offered too. */
function sortOptions(sort: string): readonly (readonly [string, string])[] {
  const plain = sort.replace(/^-/, "");
  const name = sorts.find(([key]) => key.replace(/^-/, "") === plain)?.[1] ?? plain;
  return sorts.some(([key]) => key === sort) ? sorts : [...sorts, [sort, `${name}, ${sort.startsWith("-") ? "descending" : "ascending"}`]];
}

/** Always open on wide screens; narrow ones open it by a button. */
function MoreFilters({ count, children }: { readonly count: number; readonly children: JSX.Element[] }): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="more-filters"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        Filters{count === 0 ? "" : ` (${count})`}
      </button>
      <div class="filter-fields" data-open={isOpen.value}>
        {children}
      </div>
    </>
  );
}

/** The text of a field, which runs ahead of the address while the user types. */
function useTyped(value: string, onChange: (value: string) => void) {
  const text = useSignal(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isTyping = useRef(false);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (!isTyping.current) {
      text.value = value;
    }
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onInput = (event: Event): void => {
    text.value = (event.currentTarget as HTMLInputElement).value;
    isTyping.current = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      isTyping.current = false;
      latest.current(text.value.trim());
    }, typingMs);
  };
  return { text, onInput };
}

function SearchField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }): JSX.Element {
  const { text, onInput } = useTyped(value, onChange);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isElsewhere = !(event.target instanceof HTMLElement && event.target.matches("input, select, textarea, [contenteditable]"));
      if (event.key === "/" && isElsewhere && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        field.current?.focus();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <input
      type="search"
      class="search"
      ref={field}
      value={text.value}
      onInput={onInput}
      placeholder="Search id, statement, user, source"
      aria-label="Search id, statement, user, source"
      title="Key /"
      spellcheck={false}
      autocomplete="off"
    />
  );
}

function StateFilter({ state, onChange }: { readonly state: string; readonly onChange: (state: string) => void }): JSX.Element {
  const chosen = chosenStates(state);
  return (
    <div class="switch" role="group" aria-label="State">
      <button type="button" aria-pressed={chosen.size === 0} onClick={() => onChange("")}>
        All
      </button>
      {stateGroups.map(({ title, states }) => (
        <button
          key={title}
          type="button"
          aria-pressed={states.some((one) => chosen.has(one))}
          onClick={() => onChange(toggleStates(state, states))}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly known: readonly string[];
  readonly onChange: (value: string) => void;
}

const offeredMax = 50;

function TextFilter({ label, value, known, onChange }: TextFilterProps): JSX.Element {
  const { text, onInput } = useTyped(value, onChange);
  const listId = `known-${label.toLowerCase()}`;
  const offered = [...new Set(known)].filter((one) => one !== "").slice(0, offeredMax);
  return (
    <>
      <input
        value={text.value}
        onInput={onInput}
        placeholder={label}
        aria-label={label}
        list={listId}
        spellcheck={false}
        autocomplete="off"
      />
      <datalist id={listId}>
        {offered.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): JSX.Element {
  return (
    <select aria-label={label} title={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([key, title]) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </select>
  );
}
