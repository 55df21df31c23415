import { meta } from './meta-definitions.ts';
import type { GroupVersion } from '@kubechain/apimachinery';
import { operationIdAndTag } from './operation-id.ts';
import { answers, plainTypes } from './resource-routes.ts';
import type { Route } from './route.ts';

const json: readonly string[] = ['application/json'];

interface Plain {
  readonly operation: string;
  readonly description: string;
  readonly definition: string | undefined;
  readonly types?: readonly string[];
  readonly consumes?: readonly string[];
}

function plain(
  path: string,
  { operation, description, definition, types = plainTypes, consumes = types }: Plain,
): Route {
  return {
    method: 'get',
    path,
    ...operationIdAndTag(operation, path),
    description,
    consumes,
    produces: types,
    parameters: [],
    responses: answers([200], definition),
  };
}

/** `/apis/<group>/<version>/`: what a group version serves. */
export function groupVersionRoute({ group, version }: GroupVersion): Route {
  return plain(group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`, {
    operation: 'getAPIResources',
    description: 'get available resources',
    definition: `${meta}APIResourceList`,
  });
}

/** `/apis/<group>/`. */
export function groupRoute(group: string): Route {
  return plain(`/apis/${group}/`, {
    operation: 'getAPIGroup',
    description: 'get information of a group',
    definition: `${meta}APIGroup`,
  });
}

function logRoute(path: string, operation: string): Route {
  const [, parameter] = /\{([^{}]*)\}/.exec(path) ?? [];
  return {
    method: 'get',
    path,
    ...operationIdAndTag(operation, path),
    description: '',
    consumes: [],
    produces: [],
    parameters:
      parameter === undefined ? [] : [{ name: parameter, in: 'path', type: 'string', description: 'path to the log' }],
    responses: [],
  };
}

/** Documents of single paths that a server may have, by name: `version` describes `/version/`. */
export const serverRoutes: ReadonlyMap<string, readonly Route[]> = new Map([
  [
    'api',
    [
      plain('/api/', {
        operation: 'getAPIVersions',
        description: 'get available API versions',
        definition: `${meta}APIVersions`,
      }),
    ],
  ],
  [
    'apis',
    [
      plain('/apis/', {
        operation: 'getAPIVersions',
        description: 'get available API versions',
        definition: `${meta}APIGroupList`,
      }),
    ],
  ],
  [
    'version',
    [
      plain('/version/', {
        operation: 'getCodeVersion',
        description: 'get the version information for this server',
        definition: 'io.k8s.apimachinery.pkg.version.Info',
        types: json,
      }),
    ],
  ],
  [
    '.well-known/openid-configuration',
    [
      plain('/.well-known/openid-configuration/', {
        operation: 'getServiceAccountIssuerOpenIDConfiguration',
        description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
        definition: undefined,
        types: json,
        consumes: [],
      }),
    ],
  ],
  [
    'openid/v1/jwks',
    [
      plain('/openid/v1/jwks/', {
        operation: 'getServiceAccountIssuerOpenIDKeyset',
        description: 'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
        definition: undefined,
        types: ['application/jwk-set+json'],
        consumes: [],
      }),
    ],
  ],
  ['logs', [logRoute('/logs/', 'logFileListHandler'), logRoute('/logs/{logpath}', 'logFileHandler')]],
]);
