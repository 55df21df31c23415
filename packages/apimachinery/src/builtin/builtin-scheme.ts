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

let facts: DefaultableScheme | undefined;

/**
 * Every built-in kind in every version that the reference registers (served or not: storage can hold beta
 * versions), and the meta kinds, with the defaults that their schemas say. It never changes, so one serves the whole
 * process, made on first use; a server makes its own of it, `withDefaulters`.
 */
export function builtinScheme(): DefaultableScheme {
  return (facts ??= createScheme({
    kinds: builtinKinds(),
    converters: [
      ...eventConverters,
      ...horizontalPodAutoscalerConverters,
      ...dynamicResourceConverters,
      ...workloadConverters,
      ...scaleConverters,
      ...ingressConverters,
      ...disruptionBudgetConverters,
    ],
  }));
}

function* builtinKinds(): Iterable<KindInfo> {
  for (const row of table.groupVersions) {
    for (const entry of row.kinds) {
      if (row.group === 'meta.k8s.io' && ANSWER_KINDS.test(entry)) continue;
      const equals = entry.indexOf('=');
      const kind = equals < 0 ? entry : entry.slice(0, equals);
      const definition = equals < 0 ? `${row.package}.${kind}` : entry.slice(equals + 1);
      yield new BuiltinKind(
        { group: row.group, version: row.version, kind },
        definition,
        hubType(row.internal, kind, definition),
      );
    }
    for (const kind of COMMON_KINDS)
      yield new BuiltinKind({ group: row.group, version: row.version, kind }, `${META}.${kind}`, `v1.${kind}`);
  }
}

/** Go's internal type: kinds of all versions of a group convert through it; some kinds share one across groups. */
function hubType(internal: string, kind: string, definition: string): string {
  if (definition.startsWith(META)) return `v1.${kind}`;
  if (internal === 'events') return `core.${kind}`;
  if (kind === 'Scale') return 'autoscaling.Scale';
  return `${internal}.${kind}`;
}

/** The schema is looked up when first needed: most kinds are never used in a process. */
class BuiltinKind implements KindInfo {
  readonly gvk: GroupVersionKind;
  readonly definition: string;
  readonly hubType: string;
  #schema: Schema | undefined;

  constructor(gvk: GroupVersionKind, definition: string, hubType: string) {
    this.gvk = gvk;
    this.definition = definition;
    this.hubType = hubType;
  }

  get schema(): Schema {
    return (this.#schema ??= schemaFor(this.definition));
  }
  get goType(): string {
    return this.schema.goType ?? this.definition;
  }
}
