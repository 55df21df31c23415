/**
 * Measures what creating and applying a 3 KiB pod costs between the request's bytes and the stored bytes, in units of
 * JSON.parse + JSON.stringify of the same bytes:  node packages/kube-apiserver/scripts/bench-write-paths.ts
 * The bars are 8 units for a create and 10 for an apply.
 */
import { FieldManager, builtinScheme, decodeJSON, encodeStoredJSON, formatGroupVersion, fromUnstructured, gvkOf, nameIsDNSSubdomain, readYAML, validateObjectMeta, validateObjectMetaUpdate } from '@kubechain/apimachinery';
import type { JSONObject, KubeObject } from '@kubechain/apimachinery';
import { pod } from '@kubechain/apimachinery/testing';
import { registerDefaults } from '../src/registry/register-defaults.ts';

const ROUNDS = 7, ITERATIONS = 2_000;
const clock = { now: () => Date.UTC(2026, 0, 1) };
registerDefaults(clock);
const scheme = builtinScheme();
const gvk = { group: '', version: 'v1', kind: 'Pod' };
const kind = scheme.kind(gvk);
if (kind?.schema.kind !== 'struct') throw new TypeError('no Pod in the built-in scheme');
const { schema } = kind;
const bytes = Buffer.from(JSON.stringify(pod()));

const manager = new FieldManager({
  gvk, clock, schemaFor: (apiVersion) => scheme.kind(gvkOf({ apiVersion, kind: 'Pod' }))?.schema, convert: (object) => object,
  decode: (object) => {
    const decoded = { ...fromUnstructured(object as JSONObject, schema).object, kind: 'Pod', apiVersion: formatGroupVersion(gvk) };
    scheme.applyDefaults(decoded);
    return decoded;
  },
});
const naming = { namespaced: true, validateName: nameIsDNSSubdomain };

async function create(): Promise<Buffer> {
  const { object } = decodeJSON(bytes, kind, { strict: 'Warn' });
  scheme.applyDefaults(object);
  const owned = await manager.update(undefined, object, 'kube-controller-manager');
  if (validateObjectMeta(owned.metadata ?? {}, naming).length > 0) throw new TypeError('the pod is invalid');
  return encodeStoredJSON(owned, schema);
}

const stored = decodeJSON(await create(), kind).object;
stored.metadata = { ...stored.metadata, uid: '6f1c2a9e-6f0d-4c70-9f4b-0c6c8a1b2d3e', creationTimestamp: '2026-01-01T00:00:00Z', resourceVersion: '7' };
const forced = { manager: 'bench', force: true };
const configuration = (label: string): Buffer => Buffer.from(JSON.stringify({ ...pod(), metadata: { ...pod().metadata, labels: { app: 'web', bench: label } } }));
const applied = await manager.apply(stored, (await readYAML(configuration('a'))).value as KubeObject, forced);
const live = decodeJSON(encodeStoredJSON(applied, schema), kind).object;
/** One label changes with every apply, so that nothing is known from the time before. */
const changed = [configuration('b'), configuration('c')];
let turn = 0;

async function apply(): Promise<Buffer> {
  const { value } = await readYAML(changed[turn++ % 2] ?? bytes);
  const object = await manager.apply(live, value as KubeObject, forced);
  const mistakes = [...validateObjectMeta(object.metadata ?? {}, naming), ...validateObjectMetaUpdate(object.metadata ?? {}, live.metadata ?? {})];
  if (mistakes.length > 0) throw new TypeError(`the pod is invalid: ${mistakes.map((mistake) => mistake.field).join(', ')}`);
  return encodeStoredJSON(object, schema);
}

/** Best CPU time of one iteration, in microseconds: other work on the machine should not count. */
async function measure(run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < ITERATIONS; i++) await run();
    const { system, user } = process.cpuUsage(start);
    best = Math.min(best, (system + user) / ITERATIONS);
  }
  return best;
}

const unit = await measure(() => Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8')))));
process.stdout.write(`${bytes.length} bytes, unit ${unit.toFixed(1)} µs\n`);
const cases: [name: string, run: () => unknown][] = [
  ['create', create],
  ['  decode', () => decodeJSON(bytes, kind, { strict: 'Warn' })],
  ['  default', (object => () => { scheme.applyDefaults(object); })(decodeJSON(bytes, kind).object)],
  ['  own', (object => () => manager.update(undefined, object, 'kube-controller-manager'))(decodeJSON(bytes, kind).object)],
  ['  encode', (object => () => encodeStoredJSON(object, schema))(decodeJSON(bytes, kind).object)],
  ['apply', apply],
  ['  read', () => readYAML(bytes)],
  ['  merge', (value => () => manager.apply(live, value, forced))((await readYAML(configuration('b'))).value as KubeObject)],
  // What this applier owned and does not name any more goes.
  ['  prune', (value => () => manager.apply(live, value, forced))((await readYAML(bytes)).value as KubeObject)],
  ['  encode', () => encodeStoredJSON(live, schema)],
];
for (const [name, run] of cases) {
  const time = await measure(run);
  process.stdout.write(`${name.padEnd(10)} ${time.toFixed(1).padStart(7)} µs ${(time / unit).toFixed(2).padStart(6)} ×\n`);
}
