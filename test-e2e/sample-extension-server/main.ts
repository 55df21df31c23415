import { FieldPath, invalidValue, type FieldError, type KubeObject } from '@kubechain/apimachinery';
import { runExtensionServer } from '@kubechain/apiserver/extension';

interface Recipe extends KubeObject { spec?: { servings?: number; ingredients?: { name: string; grams?: number }[] }; status?: { cooked?: number } }

const schema = {
  type: 'object', description: 'Recipe says how a dish is made.',
  properties: {
    spec: {
      type: 'object', description: 'What the cook wants.',
      properties: {
        servings: { type: 'integer', default: 2, description: 'How many people it is for.' },
        ingredients: {
          type: 'array', description: 'What goes in, by name.', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string', description: 'What it is.' }, grams: { type: 'integer', description: 'How much of it.' } } },
        },
      },
    },
    status: { type: 'object', description: 'What has become of it.', properties: { cooked: { type: 'integer', description: 'How often it was cooked.' } } },
  },
} as const;

function validate(object: KubeObject): FieldError[] {
  const { servings } = (object as Recipe).spec ?? {};
  return servings === undefined || servings >= 1 ? [] : [invalidValue(FieldPath.of('spec').child('servings'), servings, 'nobody would eat')];
}

await runExtensionServer({
  name: 'sample-extension-server',
  group: 'kitchen.example.com',
  version: 'v1',
  resources: [{
    kind: 'Recipe', plural: 'recipes', shortNames: ['rcp'], categories: ['all'], schema,
    strategy: { validate, validateUpdate: validate },
    fields: { 'spec.servings': (object) => String((object as Recipe).spec?.servings ?? '') },
    table: {
      columns: [{ name: 'Name', type: 'string', format: 'name', description: 'Name of the recipe.', priority: 0 }, { name: 'Servings', type: 'integer', format: '', description: 'How many people it is for.', priority: 0 }],
      row: (object) => ({ cells: [object.metadata?.name ?? '', (object as Recipe).spec?.servings ?? 0] }),
    },
  }],
});
