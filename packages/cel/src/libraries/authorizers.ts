import { isDNS1123Label, isDNS1123Subdomain } from '@kubechain/apimachinery';
import type { CheckedUser, RightsAnswer, RightsAuthorizer, RightsQuestion } from './authorizer-port.ts';
import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { CelError, CelOpaque } from '../values/values.ts';

const prefix = 'kubernetes.authorization.';

/** What only functions can look into; no two of them are equal. */
abstract class Receiver<V> extends CelOpaque {
  readonly value: V;
  constructor(value: V) {
    super();
    this.value = value;
  }
  override equals(): boolean {
    return false;
  }
}

/** The variable `authorizer`: asks for the rights of the user of a request, or of a service account. */
export class RequestAuthorizer extends Receiver<{ readonly authorizer: RightsAuthorizer; readonly user: CheckedUser }> {
  readonly typeName = `${prefix}Authorizer`;

  decide(attributes: Omit<RightsQuestion, 'user'>): Decision {
    const { authorizer, user } = this.value;
    const answer = authorizer.authorize({ ...attributes, user });
    // Expressions cannot wait; no authorizer of this server answers later.
    return new Decision(
      answer instanceof Promise
        ? { decision: 'NoOpinion', reason: '', error: 'the authorizer does not answer at once' }
        : { ...answer, error: '' },
    );
  }
}

class PathCheck extends Receiver<{ readonly of: RequestAuthorizer; readonly path: string }> {
  readonly typeName = `${prefix}PathCheck`;
}
class GroupCheck extends Receiver<{ readonly of: RequestAuthorizer; readonly group: string }> {
  readonly typeName = `${prefix}GroupCheck`;
}
class Decision extends Receiver<RightsAnswer & { readonly error: string }> {
  readonly typeName = `${prefix}Decision`;
}

/** What a question about a resource names. */
export interface CheckedResource {
  readonly of: RequestAuthorizer;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** The variable `authorizer.requestResource`, or what expressions put together. */
export class ResourceCheck extends Receiver<CheckedResource> {
  readonly typeName = `${prefix}ResourceCheck`;

  with(more: Partial<CheckedResource>): ResourceCheck {
    return new ResourceCheck({ ...this.value, ...more });
  }

  check(verb: string): Decision {
    const {
      fieldSelector = '',
      group,
      labelSelector = '',
      name = '',
      namespace = '',
      of,
      resource,
      subresource = '',
    } = this.value;
    return of.decide({
      verb,
      resourceRequest: true,
      path: '',
      namespace,
      apiGroup: group,
      apiVersion: '*',
      resource,
      subresource,
      name,
      ...(fieldSelector === '' ? {} : { fieldSelector }),
      ...(labelSelector === '' ? {} : { labelSelector }),
    });
  }
}

/** @throws CelError for a blank text */
function present(text: string, what: string): string {
  if (text.trim() === '') throw new CelError(`${what} must not be empty`);
  return text;
}

function serviceAccount(
  { value: { authorizer } }: RequestAuthorizer,
  namespace: string,
  name: string,
): RequestAuthorizer {
  if (isDNS1123Subdomain(name).length > 0) throw new CelError('Invalid service account name');
  if (isDNS1123Label(namespace).length > 0) throw new CelError('Invalid service account namespace');
  return new RequestAuthorizer({
    authorizer,
    user: {
      name: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    },
  });
}

function checkPath({ value: { of, path } }: PathCheck, verb: string): Decision {
  return of.decide({
    verb,
    resourceRequest: false,
    path,
    namespace: '',
    apiGroup: '',
    apiVersion: '',
    resource: '',
    subresource: '',
    name: '',
  });
}

const narrowing = (field: Exclude<keyof CheckedResource, 'of'>): CelFunction =>
  define(`${prefix}ResourceCheck.${field}(string): ${prefix}ResourceCheck`, (check: ResourceCheck, value: string) =>
    check.with({ [field]: value }),
  );

/** Questions to the authorizer (apiserver/cel/library/authz.go, 1.36). */
export const authorizerFunctions: readonly CelFunction[] = [
  define(
    `${prefix}Authorizer.path(string): ${prefix}PathCheck`,
    (of: RequestAuthorizer, path: string) => new PathCheck({ of, path: present(path, 'path') }),
  ),
  define(
    `${prefix}Authorizer.group(string): ${prefix}GroupCheck`,
    (of: RequestAuthorizer, group: string) => new GroupCheck({ of, group }),
  ),
  define(`${prefix}Authorizer.serviceAccount(string, string): ${prefix}Authorizer`, serviceAccount),
  define(
    `${prefix}GroupCheck.resource(string): ${prefix}ResourceCheck`,
    ({ value }: GroupCheck, resource: string) =>
      new ResourceCheck({ ...value, resource: present(resource, 'resource') }),
  ),
  ...(['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'] as const).map(narrowing),
  define(`${prefix}PathCheck.check(string): ${prefix}Decision`, checkPath),
  define(`${prefix}ResourceCheck.check(string): ${prefix}Decision`, (of: ResourceCheck, verb: string) =>
    of.check(verb),
  ),
  define(`${prefix}Decision.errored(): bool`, ({ value: { error } }: Decision) => error !== ''),
  define(`${prefix}Decision.error(): string`, ({ value: { error } }: Decision) => error),
  define(`${prefix}Decision.allowed(): bool`, ({ value: { decision } }: Decision) => decision === 'Allow'),
  define(`${prefix}Decision.reason(): string`, ({ value: { reason } }: Decision) => reason),
];
