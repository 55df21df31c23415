import { viewConverters } from './views.ts';
import type { Data } from './views.ts';
import { dataOf, itemsOf } from './views.ts';

/*
 * A backend was a service's name and port before it could be a resource too (pkg/apis/networking/v1beta1 and
 * pkg/apis/extensions/v1beta1, Kubernetes 1.36).
 */

const older = {
  toHub: (ingress: Data) => changed(ingress, 'newer'),
  fromHub: (ingress: Data) => changed(ingress, 'older'),
};

/** Ingresses of both groups in which they were. */
export const ingressConverters = viewConverters('Ingress', { group: 'networking.k8s.io', version: 'v1' }, [
  { group: 'networking.k8s.io', version: 'v1beta1', ...older },
  { group: 'extensions', version: 'v1beta1', ...older },
]);

function changed(ingress: Data, to: 'newer' | 'older'): Data {
  const spec = dataOf(ingress['spec']);
  if (spec === undefined) return ingress;
  const backend = to === 'newer' ? newerBackend : olderBackend;
  const [from, name] = to === 'newer' ? ['backend', 'defaultBackend'] : ['defaultBackend', 'backend'];
  const { [from]: own, ...rest } = spec;
  for (const rule of itemsOf(rest['rules']))
    for (const path of itemsOf(dataOf(rule['http'])?.['paths']))
      path['backend'] = backend(dataOf(path['backend']) ?? {});
  const ownBackend = dataOf(own);
  ingress['spec'] = ownBackend === undefined ? rest : { ...rest, [name]: backend(ownBackend) };
  return ingress;
}

function newerBackend({ resource, serviceName = '', servicePort = 0 }: Data): Data {
  const named = typeof servicePort === 'string';
  const hasService = serviceName !== '' || named || servicePort !== 0;
  return {
    ...(hasService
      ? {
          service: {
            name: serviceName,
            port: named ? { name: servicePort } : servicePort === 0 ? {} : { number: servicePort },
          },
        }
      : {}),
    ...(resource === undefined ? {} : { resource }),
  };
}

function olderBackend({ resource, service }: Data): Data {
  const of = dataOf(service);
  const port = dataOf(of?.['port']);
  const name = of?.['name'] ?? '';
  return {
    ...(name === '' ? {} : { serviceName: name }),
    servicePort: port?.['name'] || (port?.['number'] ?? 0),
    ...(resource === undefined ? {} : { resource }),
  };
}
