import {
  applyJSONPatch,
  applyMergePatch,
  cloneJSON,
  decodeJSON,
  decodeJSONPatch,
  decodeMergePatch,
  decodeProtobuf,
  decodeYAML,
  encodeJSON,
  encodeProtobuf,
  encodeYAML,
  encodingSchema,
  fromUnstructured,
  hasProtobuf,
  invalid,
  parseJSONValue,
  readYAML,
  strategicMergePatch,
} from '@kubechain/apimachinery';
import type { JSONObject, JSONValue, KubeObject, Pause } from '@kubechain/apimachinery';
import { Turns } from '@kubechain/apiserver/resources';
import type { Subject, SubjectResource } from './subject.ts';

/** One thing that is done with an object. Everything that it needs is made before it is measured. */
export interface Stage {
  readonly name: string;
  /**
   * `validations`: formats, patterns and the like of a definition decide what it does. `items`: it looks at one item of
   * a list after another, so that nothing comes of their being equal. Default: at whole values.
   */
  readonly looksAt?: 'validations' | 'items';
  /** Reads YAML, of which less is read by the thread that serves everybody. */
  readonly readsYAML?: true;
  /** undefined: the kind or the object is not for this. */
  prepare(subject: Subject, object: KubeObject, room: Room): Run | undefined | Promise<Run | undefined>;
}

/** What there is for an object in a format in which it is longer. */
export interface Room {
  /** Bytes that a body in that format may have. */
  readonly mostBytes: number;
  /** Makes an object with such a part of its bytes. */
  readonly smaller: (share: number) => KubeObject;
}

/** Can be repeated: each call does all of the work. */
type Run = () => unknown;

/** What a patch pointer needs of a document. */
interface Target {
  readonly pointer: string;
  readonly value: JSONValue;
}

export const stages: readonly Stage[] = [
  {
    name: 'decode JSON',
    looksAt: 'items',
    prepare: ({ kind, scheme }, object) => {
      const bytes = Buffer.from(JSON.stringify(object));
      return () => decodeJSON(bytes, kind, { scheme, strict: 'Warn' });
    },
  },
  {
    name: 'decode YAML',
    looksAt: 'items',
    readsYAML: true,
    prepare: async ({ kind, scheme }, object, room) => {
      const bytes = await fitting((of) => encodeYAML(of), object, room);
      return () => decodeYAML(bytes, kind, { scheme, strict: 'Warn' });
    },
  },
  {
    name: 'decode flow YAML',
    looksAt: 'items',
    readsYAML: true,
    prepare: async ({ kind, scheme }, object, room) => {
      const flow = (of: KubeObject): Buffer => Buffer.from(JSON.stringify(of).replaceAll('":', '": '));
      const bytes = await fitting(flow, object, room);
      return () => decodeYAML(bytes, kind, { scheme, strict: 'Warn' });
    },
  },
  {
    name: 'decode protobuf',
    looksAt: 'items',
    prepare: ({ kind, scheme }, object) => {
      if (kind.unstructured === true || !hasProtobuf(kind.schema)) return undefined;
      const bytes = encodeProtobuf(object, kind.schema);
      return () => decodeProtobuf(bytes, kind, { scheme });
    },
  },
  {
    name: 'default',
    prepare: ({ scheme }, object) =>
      onCopy(object, (copy) => {
        scheme.applyDefaults(copy);
      }),
  },
  {
    name: 'convert',
    prepare: ({ kind, scheme }, object) =>
      onCopy(object, async (copy) => {
        const { group, kind: name } = kind.gvk;
        let last = copy;
        for (const version of scheme.versions(group))
          if (scheme.kind({ group, version, kind: name }) !== undefined)
            last = await scheme.convert(last, { group, version });
      }),
  },
  {
    name: 'validate',
    looksAt: 'validations',
    prepare: ({ kind, resource, scheme }, object) =>
      resource &&
      onCopy(object, async (copy) => {
        scheme.applyDefaults(copy);
        const errors = await resource.create(copy);
        if (errors.length > 0) invalid(kind.gvk, 'pumped', errors);
      }),
  },
  {
    name: 'validate an update',
    looksAt: 'validations',
    prepare: (subject, object) => updated(subject, object, subject.resource?.update),
  },
  ...['status', 'approval', 'ephemeralcontainers', 'finalize', 'resize'].map((subresource): Stage => ({
    name: `validate ${subresource}`,
    looksAt: 'validations',
    prepare: (subject, object) => updated(subject, object, subject.resource?.updatesOf(subresource)),
  })),
  {
    name: 'write to a subresource',
    looksAt: 'validations',
    prepare: ({ bodyOf }, object) => bodyOf?.plain(object),
  },
  ...['binding', 'eviction', 'scale'].map((subresource): Stage => ({
    name: `write through ${subresource}`,
    looksAt: 'validations',
    prepare: ({ resource, scheme }, object) => {
      const through = resource?.subresources.find(({ name }) => name === subresource);
      if (through === undefined) return undefined;
      const filled = cloneJSON(object as JSONObject) as KubeObject;
      scheme.applyDefaults(filled);
      return through.through(filled);
    },
  })),
  {
    name: 'note managers',
    prepare: ({ kind, resource }, object) =>
      resource && onCopy(object, (copy) => resource.fieldManager.update(bare(kind.gvk, object), copy, 'somebody')),
  },
  {
    name: 'apply',
    prepare: ({ kind, resource }, object) =>
      resource &&
      onCopy(object, (copy) =>
        resource.fieldManager.apply(bare(kind.gvk, object), copy, {
          manager: 'applier',
          force: false,
          pause: pauses(),
        }),
      ),
  },
  {
    name: 'apply again',
    prepare: async ({ kind, resource }, object) => {
      if (resource === undefined) return undefined;
      const first = await resource.fieldManager.apply(
        bare(kind.gvk, object),
        cloneJSON(object as JSONObject) as KubeObject,
        {
          manager: 'applier',
          force: false,
        },
      );
      first.metadata = { ...first.metadata, uid: 'u' };
      return onCopy(first, (live) =>
        resource.fieldManager.apply(live, cloneJSON(object as JSONObject) as KubeObject, {
          manager: 'other',
          force: true,
          pause: pauses(),
        }),
      );
    },
  },
  {
    name: 'read an applied body',
    looksAt: 'items',
    readsYAML: true,
    prepare: async (_subject, object, room) => {
      const bytes = await fitting((of) => Buffer.from(JSON.stringify(of)), object, room);
      return () => readYAML(bytes);
    },
  },
  {
    name: 'strategic merge',
    prepare: ({ kind }, object) =>
      kind.unstructured === true
        ? undefined
        : onCopy(object, (copy) => {
            const merged = strategicMergePatch(copy as JSONObject, cloneJSON(object as JSONObject), kind.schema);
            if (kind.schema.kind === 'struct') fromUnstructured(merged, kind.schema, { unknownFields: true });
          }),
  },
  {
    name: 'JSON merge patch',
    prepare: ({ kind }, object) => {
      const bytes = Buffer.from(JSON.stringify(object));
      return onCopy(object, (copy) =>
        applyMergePatch(copy as JSONObject, decodeMergePatch(parseJSONValue(bytes).value, {}), kind.schema),
      );
    },
  },
  {
    name: 'JSON patch',
    prepare: ({ kind }, object) => patched(kind, object, ({ pointer, value }) => [{ op: 'add', path: pointer, value }]),
  },
  {
    name: 'JSON patch that tests',
    prepare: ({ kind }, object) =>
      patched(kind, object, ({ pointer, value }) => [{ op: 'test', path: pointer, value }]),
  },
  {
    name: 'JSON patch that moves',
    prepare: ({ kind }, object) =>
      patched(kind, object, ({ pointer, value }) =>
        Array.isArray(value) && value.length > 0
          ? Array.from({ length: 20 }, () => ({
              op: 'move',
              from: `${pointer}/${value.length - 1}`,
              path: `${pointer}/0`,
            }))
          : [{ op: 'remove', path: pointer }],
      ),
  },
  {
    name: 'encode JSON',
    looksAt: 'items',
    prepare:
      ({ kind }, object) =>
      () =>
        encodeJSON(object, encodingSchema(kind)),
  },
  {
    name: 'encode YAML',
    looksAt: 'items',
    prepare:
      ({ kind }, object) =>
      () =>
        encodeYAML(object, encodingSchema(kind), pauses()),
  },
  {
    name: 'encode protobuf',
    looksAt: 'items',
    prepare: ({ kind }, object) =>
      kind.unstructured !== true && hasProtobuf(kind.schema) ? () => encodeProtobuf(object, kind.schema) : undefined,
  },
  { name: 'encode Table', prepare: ({ resource }, object) => resource && (() => resource.row(object)) },
];

/** An object in a format, or as much of it as there is room for. */
async function fitting(
  encode: (object: KubeObject) => Uint8Array | Promise<Uint8Array>,
  object: KubeObject,
  { mostBytes, smaller }: Room,
): Promise<Uint8Array> {
  const bytes = await encode(object);
  return bytes.length <= mostBytes ? bytes : encode(smaller(mostBytes / bytes.length));
}

/** As a request pauses. */
function pauses(): Pause {
  const turns = new Turns();
  return () => turns.next();
}

/** The copy is measured too: it is linear, and servers copy as well. */
function onCopy(object: KubeObject, work: (copy: KubeObject) => unknown): Run {
  return () => work(cloneJSON(object as JSONObject) as KubeObject);
}

/** Checks an object in place of itself, as it has been created. */
async function updated(
  { kind, resource, scheme }: Subject,
  object: KubeObject,
  update: SubjectResource['update'] | undefined,
): Promise<Run | undefined> {
  if (resource === undefined || update === undefined) return undefined;
  const filled = cloneJSON(object as JSONObject) as KubeObject;
  scheme.applyDefaults(filled);
  const created = cloneJSON(filled as JSONObject) as KubeObject;
  await resource.create(created);
  // What is stored has been created: strategies count on the fields that they have set.
  const old = { ...created, ...filled };
  return onCopy(object, async (copy) => {
    scheme.applyDefaults(copy);
    const errors = await update(copy, old);
    if (errors.length > 0) invalid(kind.gvk, 'pumped', errors);
  });
}

/** Reads a JSON patch, no larger than the object, and applies it. */
function patched(kind: Subject['kind'], object: KubeObject, operations: (target: Target) => unknown[]): Run {
  const bytes = Buffer.from(JSON.stringify(operations(largest(object as JSONObject))));
  return onCopy(object, (copy) =>
    applyJSONPatch(copy as JSONObject, decodeJSONPatch(parseJSONValue(bytes).value), kind.schema),
  );
}

/** Only what kind and name it is. */
function bare(gvk: Subject['kind']['gvk'], { apiVersion }: KubeObject): KubeObject {
  return { apiVersion: apiVersion ?? '', kind: gvk.kind, metadata: { name: 'pumped', namespace: 'default' } };
}

/** The innermost part of the object that has nearly all of its size: where it was pumped. */
function largest(object: JSONObject): Target {
  let pointer = '';
  let value: JSONValue = object;
  for (;;) {
    if (typeof value !== 'object' || value === null) return { pointer, value };
    const parts: [string, JSONValue][] = Object.entries(value as JSONObject);
    const [only] = parts.filter(([key]) => pointer !== '' || !['apiVersion', 'kind', 'metadata'].includes(key));
    if (only === undefined || parts.length > 4) return { pointer, value };
    pointer += `/${only[0].replaceAll('~', '~0').replaceAll('/', '~1')}`;
    value = only[1];
  }
}
