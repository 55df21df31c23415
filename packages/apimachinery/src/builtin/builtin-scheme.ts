import table from '../generated/kinds.json' with { type: 'json' };
import { schemaFor } from '../schema/builtin.ts';
import type { Schema } from '../schema/schema.ts';
import { dynamicResourceConverters } from './converters/dynamic-resources.ts';
import { disruptionBudgetConverters } from './converters/disruption-budget-views.ts';
import { eventConverters } from './converters/event.ts';
import { horizontalPodAutoscalerConverters } from './converters/horizontal-pod-autoscaler.ts';
import { ingressConverters } from './converters/ingress-views.ts';
import { scaleConverters } from './converters/scale-views.ts';
import { workloadConverters } from './converters/workload-views.ts';
import { createScheme } from '../runtime/create-scheme.ts';
import type { DefaultableScheme } from '../runtime/create-scheme.ts';
import type { GroupVersionKind } from '../object/object.ts';
import type { KindInfo } from '../runtime/scheme.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/**
 * Forms of answers only: the reference's legacy scheme does not know them, so that a body of such a kind is refused as
 * unknown.
 */
const ANSWER_KINDS = /^(?:PartialObjectMetadata(?:List)?|Table|TableOptions)(?:=|$)/;

/** Registered in every group-version (apimachinery 1.36 pkg/apis/meta/v1/register.go). */
const COMMON_KINDS = [
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
];

/** Kinds of one group version; a kind is its Go name, or `Kind=definition` when it lives in another package. */
export interface KindRow {
  readonly group: string;
  readonly version: string;
  /** Package of the internal types. */
  readonly internal: string;
  readonly package: string;
  readonly kinds: readonly string[];
}

/** The kinds of the release that the tables are made for. */
export const builtinKindRows: readonly KindRow[] = table.groupVersions;

let facts: DefaultableScheme | undefined;

/**
 * Every built-in kind in every version that the reference registers (served or not: storage can hold beta
 * versions), and the meta kinds, with the defaults that their schemas say. It never changes, so one serves the whole
 * process, made on first use; a server makes its own of it, `withDefaulters`.
 */
export function builtinScheme(): DefaultableScheme {
  return (facts ??= schemeOf(builtinKindRows, schemaFor));
}

/** The scheme of a release, whose schemas are looked up when they are first needed. */
export function schemeOf(rows: readonly KindRow[], schemas: (definition: string) => Schema): DefaultableScheme {
  return createScheme({
    kinds: builtinKinds(rows, schemas),
    converters: [
      ...eventConverters,
      ...horizontalPodAutoscalerConverters(schemas),
      ...dynamicResourceConverters,
      ...workloadConverters,
      ...scaleConverters,
      ...ingressConverters,
      ...disruptionBudgetConverters,
    ],
  });
}

function* builtinKinds(rows: readonly KindRow[], schemas: (definition: string) => Schema): Iterable<KindInfo> {
  for (const row of rows) {
    const kindOf = (kind: string, definition: string, hub: string): KindInfo =>
      new BuiltinKind({ gvk: { group: row.group, version: row.version, kind }, definition, hubType: hub }, schemas);
    for (const entry of row.kinds) {
      if (row.group === 'meta.k8s.io' && ANSWER_KINDS.test(entry)) continue;
      const equals = entry.indexOf('=');
      const kind = equals < 0 ? entry : entry.slice(0, equals);
      const definition = equals < 0 ? `${row.package}.${kind}` : entry.slice(equals + 1);
      yield kindOf(kind, definition, hubType(row.internal, kind, definition));
    }
    for (const kind of COMMON_KINDS) yield kindOf(kind, `${META}.${kind}`, `v1.${kind}`);
  }
}

/** Go's internal type: kinds of all versions of a group convert through it; some kinds share one across groups. */
function hubType(internal: string, kind: string, definition: string): string {
  if (definition.startsWith(META)) return `v1.${kind}`;
  if (internal === 'events') return `core.${kind}`;
  if (kind === 'Scale') return 'autoscaling.Scale';
  if (internal === 'extensions') return `${/^(?:Ingress|NetworkPolicy)/.test(kind) ? 'networking' : 'apps'}.${kind}`;
  return `${internal}.${kind}`;
}

/** The schema is looked up when first needed: most kinds are never used in a process. */
class BuiltinKind implements KindInfo {
  readonly gvk: GroupVersionKind;
  readonly definition: string;
  readonly hubType: string;
  readonly #schemas: (definition: string) => Schema;
  #schema: Schema | undefined;

  constructor(
    { definition, gvk, hubType }: Pick<BuiltinKind, 'gvk' | 'definition' | 'hubType'>,
    schemas: (definition: string) => Schema,
  ) {
    this.gvk = gvk;
    this.definition = definition;
    this.hubType = hubType;
    this.#schemas = schemas;
  }

  get schema(): Schema {
    return (this.#schema ??= this.#schemas(this.definition));
  }
  get goType(): string {
    return this.schema.goType ?? this.definition;
  }
}
