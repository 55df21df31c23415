import type { ControllerDescriptor } from '../controller/controller.ts';

/** What brings claims and volumes together. */
export const storageControllers: readonly ControllerDescriptor[] = [
  {
    name: 'persistentvolume-binder-controller',
    aliases: ['persistentvolume-binder'],
    onByDefault: true,
    group: 'storage',
    serviceAccount: 'persistent-volume-binder',
    make: async (context) =>
      new (await import('../volume/persistent-volume-binder.ts')).PersistentVolumeBinder(context),
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    aliases: ['pvc-protection'],
    onByDefault: true,
    group: 'storage',
    serviceAccount: 'pvc-protection-controller',
    make: async (context) => (await import('../volume/protections.ts')).newClaimProtection(context),
  },
  {
    name: 'persistentvolume-protection-controller',
    aliases: ['pv-protection'],
    onByDefault: true,
    group: 'storage',
    serviceAccount: 'pv-protection-controller',
    make: async (context) => (await import('../volume/protections.ts')).newVolumeProtection(context),
  },
  {
    name: 'ephemeral-volume-controller',
    aliases: ['ephemeral-volume'],
    onByDefault: true,
    group: 'storage',
    serviceAccount: 'ephemeral-volume-controller',
    make: async (context) => new (await import('../volume/ephemeral-volumes.ts')).EphemeralVolumes(context),
  },
  {
    name: 'volumeattributesclass-protection-controller',
    aliases: [],
    onByDefault: true,
    group: 'storage',
    serviceAccount: 'volumeattributesclass-protection-controller',
    make: async (context) => (await import('../volume/protections.ts')).newAttributesClassProtection(context),
  },
  {
    name: 'persistentvolume-expander-controller',
    aliases: ['persistentvolume-expander'],
    onByDefault: true,
    group: 'storage',
    serviceAccount: 'expand-controller',
    make: async (context) => new (await import('../volume/volume-expander.ts')).VolumeExpander(context),
  },
  {
    name: 'persistentvolume-attach-detach-controller',
    aliases: ['attachdetach'],
    onByDefault: true,
    group: 'storage',
    serviceAccount: 'attachdetach-controller',
    make: async (context) =>
      new (await import('../attachdetach/attach-detach-controller.ts')).AttachDetachController(context),
  },
  {
    name: 'selinux-warning-controller',
    aliases: [],
    onByDefault: false,
    group: 'storage',
    serviceAccount: 'selinux-warning-controller',
    make: async (context) =>
      new (await import('../selinuxwarning/selinux-warning-controller.ts')).SELinuxWarningController(context),
  },
];
