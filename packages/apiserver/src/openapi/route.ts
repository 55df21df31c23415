/** One operation as both document versions are made of it (go-restful's Route, as the reference fills it). */
export interface Route {
  readonly method: HttpMethod;
  /** With `{name}` and the like. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Definition of the body. */
  readonly body?: { readonly definition: string; readonly required: boolean };
  readonly responses: readonly RouteResponse[];
  readonly action?: string;
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
}

export type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description?: string;
}

export interface RouteResponse {
  readonly code: number;
  readonly description: string;
  /** Name of the definition; undefined is plain text. */
  readonly definition: string | undefined;
}

/** In the order in which documents have them. */
export const methods: readonly HttpMethod[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Parameters by name, then place. */
function byName(a: Parameter, b: Parameter): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.in < b.in ? -1 : 1;
}

/** Splits the parameters of a path's routes into those that all of them have and each one's own. */
export function commonParameters(routes: readonly Route[]): {
  readonly common: readonly Parameter[];
  readonly own: (route: Route) => readonly Parameter[];
} {
  const counts = new Map<string, { count: number; parameter: Parameter }>();
  for (const route of routes)
    for (const parameter of route.parameters) {
      const known = counts.get(keyOf(parameter));
      if (known === undefined) counts.set(keyOf(parameter), { count: 1, parameter });
      else known.count++;
    }
  const isCommon = (parameter: Parameter): boolean => counts.get(keyOf(parameter))?.count === routes.length;
  const common = [...counts.values()]
    .filter(({ count }) => count === routes.length)
    .map(({ parameter }) => parameter)
    .sort(byName);
  return { common, own: (route) => route.parameters.filter((parameter) => !isCommon(parameter)).sort(byName) };
}

function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** Routes by path, paths in order. */
export function byPath(routes: Iterable<Route>): [path: string, routes: readonly Route[]][] {
  const paths = new Map<string, Route[]>();
  for (const route of routes) {
    const known = paths.get(route.path);
    if (known === undefined) paths.set(route.path, [route]);
    else known.push(route);
  }
  return [...paths].sort(([a], [b]) => (a < b ? -1 : 1));
}
