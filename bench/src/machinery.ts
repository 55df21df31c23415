// What one write costs without network and storage: decode, default, validate, update the field set, encode, of a pod
// of about 3 KiB. Figures are ratios to JSON.parse and JSON.stringify of the same bytes, taken in turns within one run.
//   node bench/src/machinery.ts [rounds]
import { createFieldManager } from '@kubechain/apiserver';
import type { FieldManager, RESTContext, RESTStorage } from '@kubechain/apiserver';
import { builtinScheme, decodeJSON, decodeRecord, encodeJSON, encodeStoredJSON, encodingSchema, readYAML, validateObjectMeta, validateObjectMetaUpdate, nameIsDNSSubdomain } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import { pod } from '@kubechain/apimachinery/testing';
import { podStrategy, registerDefaults } from '@kubechain/kube-apiserver';
import { ratioTo, type Step } from './machinery/ratio.ts';

const clock = { now: () => 1_700_000_000_000 };
registerDefaults(clock);
const scheme = builtinScheme();
const gvk = { group: '', version: 'v1', kind: 'Pod' };
const kind = scheme.kind(gvk);
if (kind === undefined) throw new TypeError('pods are not known');
const schema = encodingSchema(kind);
const storage: RESTStorage = { kind: 'Pod', namespaced: true, ...(podStrategy.resetFields === undefined ? {} : { resetFields: podStrategy.resetFields }) } as unknown as RESTStorage;
const manager: FieldManager = createFieldManager({ scheme, storage, kind: gvk, subresource: '', clock, custom: false });
const context = { namespace: 'shop', request: { requestInfo: { subresource: '' }, addWarning: () => undefined } } as unknown as RESTContext;

const metaRules = { namespaced: true, validateName: nameIsDNSSubdomain };
async function validate(object: KubeObject): Promise<void> {
  refuse([...validateObjectMeta(object.metadata ?? {}, metaRules), ...await podStrategy.validate?.(object, context) ?? []]);
}
async function validateUpdate(object: KubeObject, old: KubeObject): Promise<void> {
  refuse([...validateObjectMeta(object.metadata ?? {}, metaRules), ...validateObjectMetaUpdate(object.metadata ?? {}, old.metadata ?? {}), ...await podStrategy.validateUpdate?.(object, old, context) ?? []]);
}
function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new TypeError(errors.map(String).join('; '));
}

const body = Buffer.from(JSON.stringify(pod()));
const applied = pod() as KubeObject;
delete applied.metadata?.generateName;
const configuration = Buffer.from(JSON.stringify(applied));
const changed = structuredClone(applied);
(changed['spec'] as { containers: { image: string }[] }).containers[0]!.image = 'registry.example.com/team/web:v1.27.4';
const configurations = [configuration, Buffer.from(JSON.stringify(changed))] as const;
const created: KubeObject = { apiVersion: 'v1', kind: 'Pod' };

async function create(): Promise<Buffer> {
  const { object } = decodeJSON(body, kind, { strict: 'Warn', scheme });
  scheme.applyDefaults(object);
  const managed = await manager.update(created, object, 'kube-controller-manager');
  await validate(managed);
  return encodeStoredJSON(managed, schema);
}

/** One apply to what is stored; `stored` is read as the registry reads a record. */
async function apply(stored: Buffer, bytes: Uint8Array): Promise<Buffer> {
  const live = decodeRecord(stored);
  const { value } = await readYAML(bytes);
  const object = await manager.apply(live, value as KubeObject, { manager: 'argocd', force: false });
  await validateUpdate(object, live);
  return encodeStoredJSON(object, schema);
}

async function applyNew(): Promise<Buffer> {
  const { value } = await readYAML(configuration);
  const object = await manager.apply(created, value as KubeObject, { manager: 'argocd', force: false });
  await validate(object);
  return encodeStoredJSON(object, schema);
}

async function update(stored: Buffer): Promise<Buffer> {
  const live = decodeRecord(stored);
  const { object } = decodeJSON(stored, kind, { strict: 'Warn', scheme });
  scheme.applyDefaults(object);
  const managed = await manager.update(live, object, 'kube-controller-manager');
  await validateUpdate(managed, live);
  return encodeStoredJSON(managed, schema);
}

const first = JSON.parse((await applyNew()).toString()) as KubeObject;
first.metadata = { ...first.metadata, resourceVersion: '5', uid: '0c6c8a1b-6f0d-4c70-9f4b-2d3e6f1c2a9e', creationTimestamp: '2026-01-01T00:00:00Z' };
const stored = encodeJSON(first, schema);

const text = body.toString();
const unit: Step = { name: 'unit: JSON.parse and JSON.stringify', run: () => JSON.stringify(JSON.parse(text)) };
let turn = 0;
const steps: readonly Step[] = [
  { name: 'create', run: create, atMost: 8 },
  { name: 'update, nothing changed', run: () => update(stored) },
  { name: 'apply, creating', run: applyNew, atMost: 10 },
  { name: 'apply, nothing changed', run: () => apply(stored, configuration), atMost: 10 },
  { name: 'apply, one image changed', run: () => apply(stored, configurations[turn++ & 1] as Buffer), atMost: 10 },
];
process.stdout.write(`a pod of ${body.length} bytes\n`);
await ratioTo(unit, steps, Number(process.argv[2] ?? 15));
