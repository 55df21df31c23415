import { isMap } from '../template/go-values.ts';

type Filter = (input: unknown) => readonly unknown[];

const isTruthy = (value: unknown): boolean => value !== null && value !== undefined && value !== false;
const plain = (of: (input: unknown) => unknown) => (): Filter => (input) => [of(input)];
const withText =
  (of: (text: string, part: string) => boolean) =>
  (part: Filter): Filter =>
  (input) =>
    part(input).map((one) => typeof input === 'string' && typeof one === 'string' && of(input, one));

/** By name and number of arguments, as jq names them. */
export const queryFunctions: Readonly<Record<string, ((...args: Filter[]) => Filter) | undefined>> = {
  'select/1':
    (condition): Filter =>
    (input) =>
      condition!(input).flatMap((value) => (isTruthy(value) ? [input] : [])),
  'map/1':
    (each): Filter =>
    (input) => [listOf(input).flatMap((item) => each!(item))],
  'any/0': plain((input) => listOf(input).some(isTruthy)),
  'any/1':
    (each): Filter =>
    (input) => [listOf(input).some((item) => each!(item).some(isTruthy))],
  'all/0': plain((input) => listOf(input).every(isTruthy)),
  'all/1':
    (each): Filter =>
    (input) => [listOf(input).every((item) => each!(item).every(isTruthy))],
  'first/0': plain((input) => listOf(input)[0] ?? null),
  'first/1':
    (of): Filter =>
    (input) =>
      of!(input).slice(0, 1),
  'last/0': plain((input) => listOf(input).at(-1) ?? null),
  'empty/0': () => () => [],
  'not/0': plain((input) => !isTruthy(input)),
  'length/0': plain((input) =>
    input === null || input === undefined
      ? 0
      : typeof input === 'string'
        ? Array.from(input).length
        : isMap(input)
          ? Object.keys(input).length
          : listOf(input).length,
  ),
  'keys/0': plain((input) => (isMap(input) ? Object.keys(input).sort() : [...listOf(input).keys()])),
  'has/1':
    (key): Filter =>
    (input) =>
      key!(input).map((one) =>
        isMap(input) ? Object.hasOwn(input, String(one)) : typeof one === 'number' && one < listOf(input).length,
      ),
  'type/0': plain((input) =>
    input === null || input === undefined ? 'null' : Array.isArray(input) ? 'array' : typeof input,
  ),
  'tostring/0': plain((input) => (typeof input === 'string' ? input : JSON.stringify(input ?? null))),
  'tonumber/0': plain((input) => {
    const value = Number(input);
    if (Number.isNaN(value)) throw new TypeError('no number');
    return value;
  }),
  'startswith/1': (part) => withText((text, one) => text.startsWith(one))(part!),
  'endswith/1': (part) => withText((text, one) => text.endsWith(one))(part!),
  'ascii_downcase/0': plain((input) => String(input).toLowerCase()),
  'ascii_upcase/0': plain((input) => String(input).toUpperCase()),
};

function listOf(input: unknown): readonly unknown[] {
  if (!Array.isArray(input)) throw new TypeError('no list');
  return input;
}
