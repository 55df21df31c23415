/** Without `deletecollection`: the reference's search ends at the shortest verb. */
const verbs = ['get', 'log', 'read', 'replace', 'patch', 'delete', 'watch', 'connect', 'proxy', 'list', 'create'];

/**
 * Operation id and tag of a route from its name (`readNamespacedPodLog`) and path
 * (apiserver/pkg/endpoints/openapi/openapi.go, 1.36).
 */
export function operationIdAndTag(
  operation: string,
  path: string,
): { readonly operationId: string; readonly tag: string } {
  const verb = verbs.find((candidate) => operation.startsWith(candidate)) ?? '';
  const rest = operation.slice(verb.length);
  let parts = path.replaceAll(/^\/|\/$/g, '').split('/');
  if (parts[0] === 'api') parts = ['apis', 'core', ...parts.slice(1)];
  let prefix = verb;
  let tag = camel(parts[0] ?? '', false);
  if (parts[0] === 'apis' && parts.length > 1) {
    const group = (parts[1] ?? '').replace(/\.k8s\.io$/, '');
    prefix += camel(group, true);
    tag = camel(group, false);
    if (parts[2] !== undefined) {
      prefix += camel(parts[2], true);
      tag += `_${camel(parts[2], false)}`;
    }
  }
  return { operationId: prefix + camel(rest, true), tag };
}

/** Letters, digits and `_`; what stood after anything else begins with a capital. */
function camel(text: string, capitalize: boolean): string {
  let out = '';
  let upper = capitalize;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (/[\p{L}_]/u.test(character) || (i > 0 && /\p{Nd}/u.test(character))) {
      out += upper ? character.toUpperCase() : character;
      upper = false;
    } else {
      upper = true;
    }
  }
  return out;
}
