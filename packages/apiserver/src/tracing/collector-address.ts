/** OTLP's own, which kube-apiserver takes where its configuration names none. */
const defaultTarget = 'localhost:4317';

/**
 * Where a gRPC target is, as the address of an endpoint: `http://host:port` or `unix:PATH`, in clear text as the
 * reference's. An authority (`dns://server/host`) names the resolver, which is the machine's own here.
 */
export function collectorAddress(target = defaultTarget): string {
  if (target.startsWith('unix-abstract:'))
    return `unix:\0${target.slice('unix-abstract:'.length).replace(/^\/\//, '')}`;
  if (target.startsWith('unix:')) return target;
  const name = target.replace(/^dns:(?:\/\/[^/]*\/)?/, '');
  return `http://${/:\d+$/.test(name) ? name : `${name}:443`}`;
}
