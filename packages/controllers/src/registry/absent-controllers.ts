/** A controller of the reference that does not run here, and would not run there by its defaults. */
export interface AbsentController {
  /** kube-controller-manager's name. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Why not, as the end of a sentence. */
  readonly why: string;
}

const gate = (name: string, gates: string): AbsentController => ({
  name,
  aliases: [],
  why: `its feature gate is off in Kubernetes 1.36 (${gates})`,
});

const cloud = (name: string, ...aliases: readonly string[]): AbsentController => ({
  name,
  aliases,
  why: 'it needs a cloud provider, and kube-controller-manager has none any more',
});

/** All that kube-controller-manager 1.36 knows by name and that is not in the table of controllers. */
export const absentControllers: readonly AbsentController[] = [
  gate('podgroup-protection-controller', 'GenericWorkload'),
  gate('resourcepoolstatusrequest-controller', 'DRAResourcePoolStatus'),
  cloud('cloud-node-lifecycle-controller', 'cloud-node-lifecycle'),
  cloud('node-route-controller', 'route'),
  cloud('service-lb-controller', 'service'),
  {
    name: 'node-ipam-controller',
    aliases: ['nodeipam'],
    why: 'there is no --allocate-node-cidrs, without which it does nothing',
  },
];
