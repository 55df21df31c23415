import type { KubeObject, Schema } from '@kubechain/apimachinery';
import type { RequestScope } from './request-scope.ts';

/**
 * The options object of a connection (PodExecOptions and the like) out of its query, as Go converts url.Values: what a
 * field is not given stays absent, what is not its type is left out.
 */
export function connectOptions({ apiVersion, kind, kindInfo }: RequestScope, query: URLSearchParams): KubeObject {
  const options: KubeObject = { kind: kind.kind, apiVersion };
  if (kindInfo.schema.kind !== 'struct') return options;
  for (const { name, schema } of kindInfo.schema.fields.values()) {
    if (!query.has(name)) continue;
    const value = schema.kind === 'list' ? query.getAll(name).flatMap((text) => scalarOf(schema.items, text) ?? []) : scalarOf(schema, query.get(name) ?? '');
    if (value !== undefined) options[name] = value;
  }
  return options;
}

function scalarOf(schema: Schema, text: string): string | number | boolean | undefined {
  if (schema.kind !== 'scalar') return undefined;
  switch (schema.type) {
    case 'string': return text;
    // A parameter without a value is a switch that is on.
    case 'boolean': return text !== 'false' && text !== '0';
    case 'int32': case 'int64': return /^-?\d+$/.test(text) ? Number(text) : undefined;
    default: return undefined;
  }
}
