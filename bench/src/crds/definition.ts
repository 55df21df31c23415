/** A CRD of a group of its own every ten, with texts, numbers, lists and rules, as JSON. */
export function definition(
  index: number,
  fields: number,
): { readonly group: string; readonly plural: string; readonly text: string } {
  const { group, kind, plural } = namesOf(index);
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, field) => [`field${field}`, fieldOf(field)]),
  );
  const schema = {
    type: 'object',
    description: `${kind} is one of many.`,
    properties: {
      spec: { type: 'object', required: ['field0'], properties },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  };
  return {
    group,
    plural,
    text: JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: schema },
          },
        ],
      },
    }),
  };
}

/** An object that the schema accepts, as JSON. */
export function objectOf(index: number): string {
  const { group, kind } = namesOf(index);
  return JSON.stringify({ apiVersion: `${group}/v1`, kind, metadata: { name: 'first' }, spec: { field0: 'text' } });
}

function namesOf(index: number): { readonly group: string; readonly plural: string; readonly kind: string } {
  return { group: `g${Math.floor(index / 10)}.bench.example.com`, plural: `things${index}s`, kind: `Thing${index}` };
}

function fieldOf(field: number): object {
  const description = `Field ${field} holds what field ${field} is for, in as many words as such fields usually have.`;
  switch (field % 4) {
    case 0:
      return {
        type: 'string',
        description,
        maxLength: 100,
        ...(field % 10 === 0
          ? { 'x-kubernetes-validations': [{ rule: 'self.size() > 0', message: 'must not be empty' }] }
          : {}),
      };
    case 1:
      return { type: 'integer', description, minimum: 0, default: field };
    case 2:
      return { type: 'array', description, maxItems: 10, items: { type: 'string' } };
    default:
      return {
        type: 'object',
        description,
        properties: { name: { type: 'string' }, value: { 'x-kubernetes-int-or-string': true } },
      };
  }
}
