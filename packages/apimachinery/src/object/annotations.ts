/*
 * Annotations of core objects that several components know (k8s.io/api/core/v1 annotation_key_constants.go and
 * types.go, 1.36). What only one of them knows stands where it is used.
 */

/** Marks a pod that a kubelet runs from a file and shows to the server. */
export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';
/** On claims and volumes: the class, as it was named before there was a field. */
export const betaStorageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
/** The seccomp profile of a pod, before there was a field. */
export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
/** Begins the keys of annotations with the seccomp profile of a container, before there was a field. */
export const seccompContainerAnnotationPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
/** Begins the keys of annotations that say, by container, what `appArmorProfile` says since 1.30. */
export const appArmorContainerAnnotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';
