import type { ControllerDescriptor } from '../controller/controller.ts';

/** What makes namespaces, owned objects, service accounts, quotas and services behave. */
export const lifecycleControllers: readonly ControllerDescriptor[] = [
  {
    name: 'serviceaccount-controller',
    aliases: ['serviceaccount'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'service-account-controller',
    make: async (context) =>
      new (await import('../serviceaccount/service-account-controller.ts')).ServiceAccountController(context),
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    aliases: ['root-ca-cert-publisher'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'root-ca-cert-publisher',
    make: async (context) => (await import('../certificates/root-ca-publisher.ts')).newRootCAPublisher(context),
  },
];
