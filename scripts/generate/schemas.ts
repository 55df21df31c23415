import type { GoFacts, GoField, GoStruct, OpenAPISchema, ProtobufFacts } from './facts.ts';
import { isNewer, isNewerType, withNewerFields } from './newer-fields.ts';

/** Leaf definitions that are scalars in schema notation and so need no entry of their own. */
const LEAF_DEFINITIONS = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Duration',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSON',
]);

/**
 * JSONSchemaPropsOr…: unions written by hand in Go; notation `|` plus the definition whose fields are their protobuf
 * form.
 */
const VARIANT = /\.JSONSchemaPropsOr(Array|Bool|StringArray)$/;

/** Go's zero value as JSON for fields that its encoder writes although unset; undefined when it leaves them out. */
function zeroOf(field: GoField): string | undefined {
  const type = field.t;
  if (field.oz) return undefined;
  if (field.o) {
    // omitempty has no effect on Go structs, and these leaves are structs.
    switch (type[0]) {
      case '@':
        return VARIANT.test(type) ? undefined : '{}';
      case 't':
      case 'u':
      case 'x':
      case 'j':
        return 'null';
      case 'q':
        return '"0"';
      case 'o':
        return '0';
      case 'r':
        return '"0s"';
      default:
        return undefined;
    }
  }
  switch (type[0]) {
    case 's':
      return '""';
    case 'b':
      return 'false';
    case 'i':
    case 'l':
    case 'd':
    case 'o':
      return '0';
    case 'q':
      return '"0"';
    case 'r':
      return '"0s"';
    case '@':
      return '{}';
    default:
      return 'null';
  }
}

const isZero = (value: unknown): boolean =>
  value === '' ||
  value === 0 ||
  value === false ||
  value === null ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The schema table: definition name → one line of notation. Throws on contradictions between the sources. */
export function schemaTable(
  facts: GoFacts,
  openapi: Readonly<Record<string, OpenAPISchema>>,
  protobuf: ProtobufFacts,
): Map<string, string> {
  const go = withNewerFields(facts);
  const problems: string[] = [];
  const table = new Map<string, string>();

  const listMarker = (name: string, field: GoField, api: OpenAPISchema | undefined): string => {
    const type = api === undefined ? field.list : api['x-kubernetes-list-type'];
    const keys = (api === undefined ? field.keys : api['x-kubernetes-list-map-keys']) ?? [];
    if (type === 'map' && keys.length === 0) problems.push(`${name}.${field.n}: list map without keys`);
    return type === 'map' ? `[#${keys.join('+')}]` : type === 'set' ? '[=]' : '[]';
  };

  const typeOf = (name: string, field: GoField, api: OpenAPISchema | undefined, embedded = false): string => {
    let type = field.t.replace(/^\*/, '');
    if (type.startsWith('[]')) type = listMarker(name, field, api) + type.slice(2);
    // Named slices with a protobuf message of their own around the items (Verbs, ExtraValue).
    const wire = Object.values(protobuf[messageName(name)] ?? {}).find((candidate) => candidate.number === field.num);
    if (
      !embedded &&
      wire !== undefined &&
      wire.repeated !== true &&
      wire.type !== 'bytes' &&
      /^(\{[^}]*\})?\[\]/.test(type)
    )
      type = type.replace('[]', '[&]');
    const mapType = api === undefined ? field.map : api['x-kubernetes-map-type'];
    const atomic = mapType === 'atomic';
    if (atomic && type.startsWith('{')) type = `{!${type.slice(1)}`;
    if (atomic && type.startsWith('@')) type = `@!${type.slice(1)}`;
    if (mapType === 'granular' && type.startsWith('@')) type = `@+${type.slice(1)}`;
    if (atomic && (type === 'j' || type === 'x')) type += '!';
    // A type of its own there, which keeps bytes as they are.
    const version = /\.pkg\.apis\.apiextensions\.(\w+)\./.exec(name)?.[1];
    if (version !== undefined) type = type.replace(/j$/, `j<${version}.JSON>`);
    const values = type.startsWith('s') ? api?.enum : undefined;
    if (values !== undefined) type += `(${values.toSorted().join('|')})`;
    return type
      .replace(/@(!?)io\.k8s\.api\./g, '@$1~')
      .replace(/@(!?)io\.k8s\.apimachinery\.pkg\.apis\.meta\./g, '@$1^');
  };

  const fieldText = (name: string, field: GoField, embed: number | undefined, goPath: string | undefined): string => {
    const api = VARIANT.test(name) ? undefined : openapi[name];
    const property = api?.properties?.[field.n ?? ''];
    if (api !== undefined && property === undefined && !isNewer(name, field))
      problems.push(`${name}.${field.n}: not in OpenAPI`);
    const parts = [field.n ?? '', typeOf(name, field, property, embed !== undefined)];
    const pointer = field.t.startsWith('*');
    const required = api === undefined ? field.req === 1 : api.required?.includes(field.n ?? '') === true;
    if (embed === undefined && field.num !== undefined) parts.push(String(field.num));
    const flags = (required ? 'r' : '') + (pointer ? 'p' : '') + (field.o || field.oz ? 'o' : '');
    if (flags !== '') parts.push(flags);
    const fallback =
      property === undefined
        ? field.def === undefined
          ? undefined
          : (JSON.parse(field.def) as unknown)
        : property.default;
    if (fallback !== undefined && (pointer ? !(typeof fallback === 'object') : !isZero(fallback)))
      parts.push(`d=${JSON.stringify(fallback)}`);
    const zero = zeroOf(field);
    if (zero !== undefined) parts.push(`z=${zero}`);
    const strategy = property === undefined ? field.ps : property['x-kubernetes-patch-strategy'];
    if (strategy !== undefined) parts.push(`s=${strategy.replaceAll(',', '+')}`);
    const key = property === undefined ? field.pk : property['x-kubernetes-patch-merge-key'];
    if (key !== undefined) parts.push(`k=${key}`);
    if (embed !== undefined) parts.push(`e=${embed}`);
    if (goPath !== undefined) parts.push(`g=${goPath}`);
    if (parts.some((part) => / |;/.test(part)))
      problems.push(`${name}.${field.n}: separator inside ${parts.join(' ')}`);
    return parts.join(' ');
  };

  for (const name of Object.keys(go.types).toSorted()) {
    if (LEAF_DEFINITIONS.has(name)) continue;
    const struct = go.types[name] as GoStruct;
    const api = openapi[name];
    const wire = protobuf[messageName(name)];
    const head = [
      struct.go,
      (wire === undefined ? '' : 'p') +
        ((api?.['x-kubernetes-map-type'] ?? struct.map) === 'atomic' ? '!' : '') +
        (VARIANT.test(name) ? 'v' : ''),
    ];
    for (const union of api?.['x-kubernetes-unions'] ?? []) {
      const fields = Object.entries(union['fields-to-discriminateBy'] ?? {}).map(
        ([field, value]) => `${field}:${value}`,
      );
      head.push(`U=${union.discriminator ?? ''}(${fields.join('|')})`);
    }
    const embeds: string[] = [],
      fields: string[] = [],
      seen = new Set<string>();
    const add = (field: GoField, embed: number | undefined, goPath?: string): void => {
      if (field.n === undefined || seen.has(field.n)) return;
      seen.add(field.n);
      if (
        embed === undefined &&
        wire !== undefined &&
        field.num !== undefined &&
        !isNewer(name, field) &&
        !Object.values(wire).some((f) => f.number === field.num)
      )
        problems.push(`${name}.${field.n}: no protobuf field ${field.num}`);
      fields.push(fieldText(name, field, embed, goPath));
    };
    // Fields of the struct itself win over embedded ones of the same name.
    const own = new Set(struct.fields.map((field) => field.n));
    for (const field of struct.fields) {
      if (field.emb === undefined) {
        add(field, undefined);
        continue;
      }
      const target = field.t.replace(/^\*?@/, '');
      const embedded = go.types[target];
      if (embedded === undefined) {
        problems.push(`${name}: embeds unknown ${target}`);
        continue;
      }
      const index = embeds.length;
      embeds.push(
        [
          '!',
          field.emb,
          typeOf(name, field, undefined),
          field.num === undefined ? '' : String(field.num),
          field.t.startsWith('*') ? 'p' : '',
        ]
          .filter((part, i) => i < 3 || part !== '')
          .join(' '),
      );
      for (const inner of embedded.fields) {
        if (inner.emb !== undefined) {
          for (const deep of go.types[inner.t.replace(/^\*?@/, '')]?.fields ?? [])
            if (!own.has(deep.n)) add(deep, index, `${field.emb}.${inner.emb}`);
          continue;
        }
        if (!own.has(inner.n)) add(inner, index);
      }
    }
    if (api?.properties !== undefined)
      for (const property of Object.keys(api.properties))
        if (!seen.has(property)) problems.push(`${name}.${property}: in OpenAPI only`);
    table.set(name, [head.join(' '), ...embeds, ...fields].join(';'));
  }
  for (const name of Object.keys(openapi))
    if (!table.has(name) && !LEAF_DEFINITIONS.has(name)) problems.push(`${name}: no Go type`);
  if (problems.length > 0) throw new Error(`the sources contradict each other:\n${problems.join('\n')}`);
  return table;
}

/** `io.k8s.api.core.v1.Pod` → `k8s.io.api.core.v1.Pod` */
function messageName(definition: string): string {
  return definition.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_');
}

/** Whether a definition is part of the served API, or of the meta types that every client meets. */
export function isServed(name: string, openapi: Readonly<Record<string, OpenAPISchema>>): boolean {
  return openapi[name] !== undefined || isNewerType(name) || name.startsWith('io.k8s.apimachinery.');
}
