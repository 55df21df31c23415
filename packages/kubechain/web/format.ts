import type { RequestMessage } from '@kubechain/apiserver/observe';

export function bytes(count: number): string {
  if (count < 0) return '–';
  if (count < 1_024) return `${count} B`;
  if (count < 1_048_576) return `${(count / 1_024).toFixed(count < 10_240 ? 1 : 0)} kB`;
  if (count < 1_073_741_824) return `${(count / 1_048_576).toFixed(count < 10_485_760 ? 1 : 0)} MB`;
  return `${(count / 1_073_741_824).toFixed(1)} GB`;
}

export function milliseconds(ms: number): string {
  if (ms < 0.1) return `${Math.round(ms * 1_000)} µs`;
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  if (ms < 1_000) return `${ms.toFixed(0)} ms`;
  return seconds(ms / 1_000);
}

export function seconds(count: number): string {
  if (count < 60) return `${count < 10 ? count.toFixed(1) : Math.round(count)} s`;
  if (count < 3_600) return `${Math.floor(count / 60)} min ${Math.round(count % 60)} s`;
  return `${Math.floor(count / 3_600)} h ${Math.round((count % 3_600) / 60)} min`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function number(count: number): string {
  return count >= 100 ? Math.round(count).toLocaleString('en-US') : String(Math.round(count * 10) / 10);
}

/** What a request is about, in few words. */
export function subjectOf({
  group,
  name,
  namespace,
  resource,
  uri,
}: Pick<RequestMessage, 'group' | 'name' | 'namespace' | 'resource' | 'uri'>): string {
  if (resource === '') return uri;
  const [plural = '', subresource] = resource.split('/', 2);
  const what = `${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  return [what, namespace === '' ? name : `${namespace}/${name === '' ? '*' : name}`]
    .filter((text) => text !== '')
    .join('  ');
}

/** Class of a status for its colour. */
export function statusClass(code: number): string {
  if (code === 0) return 'bad';
  return code >= 500 ? 'bad' : code >= 400 ? 'poor' : 'good';
}
