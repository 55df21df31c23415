import { betaStorageClassAnnotation } from '@kubechain/apimachinery';
/** Annotations by which binder, scheduler and provisioners work together (component-helpers storage/volume, 1.36). */
export const volumeAnnotations = {
  /** On claims: the binding was done to its end. */
  bindCompleted: 'pv.kubernetes.io/bind-completed',
  /** On volumes and claims: not the user but the binder brought them together, and may part them. */
  boundByController: 'pv.kubernetes.io/bound-by-controller',
  /** On claims: the node for which a volume is to be made. */
  selectedNode: 'volume.kubernetes.io/selected-node',
  /** On volumes: who made them. */
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  /** On claims: who is to make a volume. */
  provisioner: 'volume.kubernetes.io/storage-provisioner',
  betaProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  /** On claims and volumes: the class, as it was named before there was a field. */
  betaClass: betaStorageClassAnnotation,
} as const;

/** The provisioner of classes whose volumes are made by hand. */
export const noProvisioner = 'kubernetes.io/no-provisioner';
