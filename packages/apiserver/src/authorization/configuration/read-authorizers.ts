import {
  FieldPath,
  aggregateMessage,
  aggregateTexts,
  append,
  duplicate,
  invalidValue,
  isDNS1123Subdomain,
  notSupported,
  required,
  type FieldError,
} from '@kubechain/apimachinery';
import { AuthorizationConfigurationError } from './authorization-configuration-error.ts';
import type { BuiltinAuthorizerType, ConfiguredAuthorizer } from './configured-authorizer.ts';
import { readWebhook, type WrittenWebhook } from './read-webhook.ts';

/** One as it stands in a file. */
export interface WrittenAuthorizer {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: WrittenWebhook;
}

const types: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

/**
 * Checks what stands in a file (apis/apiserver/validation, kubeapiserver/authorizer LoadAndValidateData, 1.36).
 * @throws AuthorizationConfigurationError
 */
export function readAuthorizers(
  written: readonly WrittenAuthorizer[],
  requiredTypes: ReadonlySet<string>,
): readonly ConfiguredAuthorizer[] {
  const root = FieldPath.of('authorizers');
  const errors: FieldError[] = [];
  const authorizers: ConfiguredAuthorizer[] = [];
  if (written.length === 0) errors.push(required(root, 'at least one authorization mode must be defined'));
  const seen = { types: new Set<string>(), names: new Set<string>() };
  for (const [i, { name = '', type = '', webhook }] of written.entries()) {
    const path = root.index(i);
    const wrongType = typeError(type, path.child('type'), seen.types);
    if (wrongType !== undefined) {
      errors.push(wrongType);
      continue;
    }
    seen.types.add(type);
    append(errors, nameErrors(name, path.child('name'), seen.names));
    seen.names.add(name);
    if (type !== 'Webhook') {
      if (webhook !== undefined)
        errors.push(invalidValue(path.child('webhook'), 'non-null', 'may only be specified when type=Webhook'));
      authorizers.push({ type: type as BuiltinAuthorizerType, name });
    } else if (webhook === undefined) errors.push(required(path.child('webhook'), 'required when type=Webhook'));
    else {
      const read = readWebhook(webhook, path);
      append(errors, read.errors);
      authorizers.push({ type, name, webhook: read.webhook });
    }
  }
  if (errors.length > 0) throw new AuthorizationConfigurationError(aggregateMessage(errors));
  checkTypes(authorizers, requiredTypes);
  return authorizers;
}

function typeError(type: string, path: FieldPath, seen: ReadonlySet<string>): FieldError | undefined {
  if (type === '') return required(path);
  if (!types.includes(type)) return notSupported(path, type, types);
  return seen.has(type) && type !== 'Webhook' ? duplicate(path, type) : undefined;
}

function nameErrors(name: string, path: FieldPath, seen: ReadonlySet<string>): readonly FieldError[] {
  if (name === '') return [required(path)];
  if (seen.has(name)) return [duplicate(path, name)];
  const problems = isDNS1123Subdomain(name);
  return problems.length === 0 ? [] : [invalidValue(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

/** Names of all but webhooks are given by their types. @throws AuthorizationConfigurationError */
function checkTypes(authorizers: readonly ConfiguredAuthorizer[], requiredTypes: ReadonlySet<string>): void {
  const problems = authorizers.flatMap(({ name, type }) =>
    type === 'Webhook' || name === type.toLowerCase()
      ? []
      : [`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`],
  );
  const missing = [...requiredTypes].filter((wanted) => !authorizers.some(({ type }) => type === wanted)).sort();
  if (missing.length > 0) problems.push(`missing required types: [${missing.join(' ')}]`);
  if (problems.length > 0) throw new AuthorizationConfigurationError(aggregateTexts(problems));
}
