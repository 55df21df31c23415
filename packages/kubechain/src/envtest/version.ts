/** The version of Kubernetes that this behaves as. */
export const KUBERNETES_VERSION = '1.36.2';
