/**
 * Measures what the create path of one object costs in this package, in units of JSON.parse + JSON.stringify
 * of the same bytes:  node packages/apimachinery/scripts/bench.ts
 */
import { builtinScheme, decodeJSON, decodeProtobuf, encodeJSON, encodeProtobuf } from '../src/index.ts';
import { pod } from '../src/testing/sample-pod.ts';

const ROUNDS = 7,
  ITERATIONS = 20_000;
const scheme = builtinScheme();
const expected = scheme.kind({ group: '', version: 'v1', kind: 'Pod' });
if (expected === undefined) throw new TypeError('no Pod in the built-in scheme');
const bytes = Buffer.from(JSON.stringify(pod()));
const shuffled = Buffer.from(JSON.stringify(sortKeys(pod())));

/** Best time of one iteration, in microseconds. */
function measure(run: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < ITERATIONS; i++) run();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / ITERATIONS / 1000);
  }
  return best;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortKeys(member)]),
  );
}

const unit = measure(() => Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8')))));
process.stdout.write(`${bytes.length} bytes, unit ${unit.toFixed(1)} µs\n`);
const decoded = decodeJSON(bytes, expected).object;
const protobuf = Buffer.from(encodeProtobuf(decoded, expected.schema));
const cases: [name: string, run: () => unknown][] = [
  ['decode', () => decodeJSON(bytes, expected)],
  ['decode, strict', () => decodeJSON(bytes, expected, { strict: 'Strict' })],
  [
    'decode + default',
    () => {
      const { object } = decodeJSON(bytes, expected, { strict: 'Warn' });
      scheme.applyDefaults(object);
      return object;
    },
  ],
  [
    'encode',
    (
      (object) => () =>
        encodeJSON(object, expected.schema)
    )(decodeJSON(bytes, expected).object),
  ],
  [
    'decode + default + encode',
    () => {
      const { object } = decodeJSON(bytes, expected, { strict: 'Warn' });
      scheme.applyDefaults(object);
      return encodeJSON(object, expected.schema);
    },
  ],
  [
    'the same, keys sorted',
    () => {
      const { object } = decodeJSON(shuffled, expected, { strict: 'Warn' });
      scheme.applyDefaults(object);
      return encodeJSON(object, expected.schema);
    },
  ],
  ['protobuf decode', () => decodeProtobuf(protobuf, expected)],
  ['protobuf encode', () => encodeProtobuf(decoded, expected.schema)],
];
for (const [name, run] of cases) {
  const time = measure(run);
  process.stdout.write(
    `${name.padEnd(28)} ${time.toFixed(1).padStart(7)} µs ${(time / unit).toFixed(2).padStart(6)} ×\n`,
  );
}
