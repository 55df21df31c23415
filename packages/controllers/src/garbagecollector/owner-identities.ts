import { matchesCoordinates, sameIdentity, type GraphNode, type Identity } from './graph-node.ts';

/**
 * Splits dependents by whether their references to a uid name the owner as it is, or something else; one with both
 * kinds of references is in both.
 */
export function partitionDependents(
  dependents: Iterable<GraphNode>,
  owner: Identity,
): { readonly matching: GraphNode[]; readonly others: GraphNode[] } {
  const matching: GraphNode[] = [];
  const others: GraphNode[] = [];
  for (const dependent of dependents) {
    if (owner.namespace !== '' && owner.namespace !== dependent.identity.namespace) {
      others.push(dependent);
      continue;
    }
    const references = dependent.referencesTo(owner.uid);
    const matches = references.filter((reference) => matchesCoordinates(reference, owner));
    if (matches.length > 0) matching.push(dependent);
    if (matches.length < references.length) others.push(dependent);
  }
  return { matching, others };
}

/**
 * Another object that dependents mean by the uid of one that is not there: the next after it in order, or the first of
 * all, so that each is tried in turn.
 */
export function alternateOwner(dependents: readonly GraphNode[], absent: Identity): Identity | undefined {
  let first: Identity | undefined;
  let next: Identity | undefined;
  for (const dependent of dependents) {
    const { identity } = dependent;
    for (const { apiVersion, kind, name, uid } of dependent.referencesTo(absent.uid)) {
      const reference = { apiVersion, kind, name, uid };
      if (matchesCoordinates(reference, absent) && (absent.namespace === '' || absent.namespace === identity.namespace))
        continue;
      const clusterScoped = absent.namespace === '' && apiVersion === absent.apiVersion && kind === absent.kind;
      const alternate = { ...reference, namespace: clusterScoped ? '' : identity.namespace };
      if (sameIdentity(alternate, absent)) continue;
      // Sorted they would take as long as a hundred such looks, once for each of them.
      if (first === undefined || compare(alternate, first) < 0) first = alternate;
      if (compare(absent, alternate) < 0 && (next === undefined || compare(alternate, next) < 0)) next = alternate;
    }
  }
  return next ?? first;
}

function compare(a: Identity, b: Identity): number {
  for (const field of ['kind', 'apiVersion', 'namespace', 'name', 'uid'] as const)
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  return 0;
}
