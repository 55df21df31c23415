/** The spec of a definition that is only ever made as a dry run, to see what its server does with it. */
export const probeDefinition = {
  group: 'kubechain.test',
  scope: 'Cluster',
  names: { plural: 'probes', singular: 'probe', kind: 'Probe', listKind: 'ProbeList' },
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
};
