/** Kinds of node addresses in the order in which kubelets are dialled by them (kube-apiserver 1.36's default). */
export const defaultAddressTypes: readonly string[] = [
  'Hostname',
  'InternalDNS',
  'InternalIP',
  'ExternalDNS',
  'ExternalIP',
];
