import type { RequestMessage } from '@kubechain/apiserver/observe';
import type { ChainFacts } from '../src/page/feed-messages.ts';

/** A request as a command of curl, with the administrator's certificate of the kubeconfig's folder. */
export function asCurl({ accept, contentType, method, observed, uri }: RequestMessage, facts: ChainFacts): string {
  const pki = facts.kubeconfig.replace(/[^/]*$/, 'pki');
  const body = method === 'GET' || method === 'DELETE' ? undefined : observed?.after;
  return [
    `curl --cacert ${quote(`${pki}/ca.crt`)} --cert ${quote(`${pki}/admin.crt`)} --key ${quote(`${pki}/admin.key`)}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(accept === '' || accept === '*/*' || accept.includes('protobuf') ? [] : [`-H ${quote(`Accept: ${accept}`)}`]),
    ...(body === undefined ? [] : [`-H ${quote(`Content-Type: ${bodyType(contentType)}`)}`, `--data ${quote(body)}`]),
    quote(`${facts.url}${uri}`),
  ].join(' \\\n  ');
}

/** A request as a command of kubectl that does the same, or the nearest that there is. */
export function asKubectl(
  { group, name, namespace, observed, resource, uri, user, verb }: RequestMessage,
  facts: ChainFacts,
): string {
  const [plural = '', subresource] = resource.split('/', 2);
  const what = quote(`${plural}${group === '' ? '' : `.${group}`}`);
  const named = quote(name);
  const query = new URLSearchParams(uri.split('?', 2)[1] ?? '');
  const flags = [
    ...(subresource === undefined ? [] : [`--subresource=${quote(subresource)}`]),
    ...(namespace !== '' ? [`-n ${quote(namespace)}`] : ['list', 'watch'].includes(verb) ? ['-A'] : []),
    ...[...query].flatMap(([key, value]) =>
      key === 'labelSelector'
        ? [`-l ${quote(value)}`]
        : key === 'fieldSelector'
          ? [`--field-selector ${quote(value)}`]
          : [],
    ),
    `--kubeconfig ${quote(facts.kubeconfig)}`,
    ...(user === 'kubernetes-admin' || user === '' ? [] : [`--as ${quote(user)}`]),
  ].join(' ');
  const input = observed?.after === undefined ? '-f FILE' : `-f - <<'EOF'\n${observed.after}\nEOF`;
  switch (verb) {
    case 'get':
      return resource === '' ? `kubectl get --raw ${quote(uri)} ${flags}` : `kubectl get ${what} ${named} ${flags}`;
    case 'list':
      return `kubectl get ${what} ${flags}`;
    case 'watch':
      return `kubectl get ${what}${name === '' ? '' : ` ${named}`} --watch ${flags}`;
    case 'create':
      return `kubectl create ${flags} ${input}`;
    case 'update':
      return `kubectl replace ${flags} ${input}`;
    case 'patch':
      return `kubectl replace ${flags} ${input}`;
    case 'delete':
      return `kubectl delete ${what} ${named} ${flags}`;
    case 'deletecollection':
      return `kubectl delete ${what} --all ${flags}`;
    default:
      return `kubectl get --raw ${quote(uri)} ${flags}`;
  }
}

/** The object is shown as JSON, whatever it was sent as. */
function bodyType(contentType: string): string {
  return contentType.includes('patch') ? contentType : 'application/json';
}

/** As one word of a shell: whoever may ask has chosen it, and somebody else pastes it. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
