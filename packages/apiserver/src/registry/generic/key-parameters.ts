import { badRequest, nameIsPathSegment } from '@kubechain/apimachinery';

/**
 * Refuses what cannot be part of a key.
 * @throws StatusError BadRequest
 * Source: apiserver registry/generic/registry NamespaceKeyFunc, 1.36.
 */
export function checkKeyParameters({
  name,
  namespace,
  namespaced,
}: {
  readonly namespaced: boolean;
  readonly namespace: string;
  readonly name: string;
}): void {
  if (namespaced && namespace === '') throw badRequest('Namespace parameter required.');
  if (name === '') throw badRequest('Name parameter required.');
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(';')}`);
}
