import {
  FieldPath,
  invalidValue,
  type FieldError,
  type KubeObject,
  type OpenAPIV3Schema,
  runExtensionServer,
} from '@kubechain/apiserver/extension';

interface Recipe extends KubeObject {
  spec?: { servings?: number; ingredients?: { name: string; grams?: number }[] };
  status?: { cooked?: number };
}

/** v1beta1 called `servings` `people`. */
const schemaOf = (servings: string): OpenAPIV3Schema => ({
  type: 'object',
  description: 'Recipe says how a dish is made.',
  properties: {
    spec: {
      type: 'object',
      description: 'What the cook wants.',
      properties: {
        [servings]: { type: 'integer', default: 2, description: 'How many people it is for.' },
        ingredients: {
          type: 'array',
          description: 'What goes in, by name.',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', description: 'What it is.' },
              grams: { type: 'integer', description: 'How much of it.' },
            },
          },
        },
      },
    },
    status: {
      type: 'object',
      description: 'What has become of it.',
      properties: { cooked: { type: 'integer', description: 'How often it was cooked.' } },
    },
  },
});

const renamed =
  (from: string, to: string) =>
  (object: KubeObject): KubeObject => {
    const { [from]: value, ...others } = (object['spec'] ?? {}) as Record<string, unknown>;
    return { ...object, spec: value === undefined ? others : { ...others, [to]: value } };
  };

function validate(object: KubeObject): FieldError[] {
  const { servings } = (object as Recipe).spec ?? {};
  return servings === undefined || servings >= 1
    ? []
    : [invalidValue(FieldPath.of('spec').child('servings'), servings, 'nobody would eat')];
}

await runExtensionServer({
  name: 'sample-extension-server',
  group: 'kitchen.example.com',
  version: 'v1',
  resources: [
    {
      kind: 'Recipe',
      plural: 'recipes',
      shortNames: ['rcp'],
      categories: ['all'],
      schema: schemaOf('servings'),
      strategy: { validate, validateUpdate: validate },
      fields: { 'spec.servings': (object) => String((object as Recipe).spec?.servings ?? '') },
      table: {
        columns: [
          { name: 'Name', type: 'string', format: 'name', description: 'Name of the recipe.', priority: 0 },
          { name: 'Servings', type: 'integer', format: '', description: 'How many people it is for.', priority: 0 },
        ],
        row: (object) => ({ cells: [object.metadata?.name ?? '', (object as Recipe).spec?.servings ?? 0] }),
      },
      versions: [
        {
          version: 'v1beta1',
          schema: schemaOf('people'),
          toHub: renamed('people', 'servings'),
          fromHub: renamed('servings', 'people'),
          deprecationWarning: 'kitchen.example.com/v1beta1 Recipe is deprecated',
        },
      ],
    },
  ],
});
