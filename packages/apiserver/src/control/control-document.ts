import type { ControlRoute } from './control-route.ts';
import { controlRoutes } from './control-routes.ts';
import { controlSchemas, refTo, type ControlSchema } from './control-schemas.ts';

/** The control API as a document of OpenAPI 3.0, made of its routes. */
export function controlDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of controlRoutes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route);
  return {
    openapi: '3.0.0',
    info: {
      title: 'kubechain control API',
      version: 'v1',
      description: 'Snapshots, faults, the clock and the journal of a chain. Served on a unix socket of its owner.',
    },
    paths,
    components: { schemas: controlSchemas },
  };
}

function operation({ answers, method, path, query = {}, status, summary, takes }: ControlRoute): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, description]) => {
    const several = name.endsWith('*');
    const schema = several ? { type: 'array', items: { type: 'string' } } : { type: 'string' };
    return { name: several ? name.slice(0, -1) : name, in: 'query', description, schema };
  });
  return {
    operationId: operationName(method, path),
    summary,
    parameters: [...inPath, ...inQuery],
    ...(takes === undefined ? {} : { requestBody: { required: true, content: contentOf(takes) } }),
    responses: {
      [status ?? 200]: { description: 'Done.', content: contentOf(answers) },
      default: { description: 'Refused.', content: contentOf(refTo('Error')) },
    },
  };
}

function contentOf(what: ControlSchema | string): object {
  return typeof what === 'string'
    ? { 'text/plain': { schema: { type: 'string', description: what } } }
    : { 'application/json': { schema: what } };
}

/** `getV1SnapshotsName` */
function operationName(method: string, path: string): string {
  const words = path.split(/[/{}]/).filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
