import { builtinRelease, builtinResources } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { existsSync, readdirSync } from 'node:fs';
import { builtInGroups } from './built-in-groups.ts';
import { storedResource } from './resource.ts';
import type { BuiltInResource } from './resource.ts';
import { RegistryConfigError } from './registry-config-error.ts';
import type { RegistryContext } from './storage-provider.ts';
import { capabilitiesOf } from './capabilities.ts';

/** Kinds for which the reference has defaulting functions with an effect (zz_generated.defaults.go, 1.36). */
const defaulted = [
  'admissionregistration.k8s.io/v1 MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration',
  'apps/v1 DaemonSet',
  'apps/v1 Deployment',
  'apps/v1 ReplicaSet',
  'apps/v1 StatefulSet',
  'authentication.k8s.io/v1 TokenRequest',
  'autoscaling/v1 HorizontalPodAutoscaler',
  'autoscaling/v2 HorizontalPodAutoscaler',
  'batch/v1 CronJob',
  'batch/v1 Job',
  'discovery.k8s.io/v1 EndpointSlice',
  'flowcontrol.apiserver.k8s.io/v1 FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration',
  'networking.k8s.io/v1 IngressClass',
  'networking.k8s.io/v1 NetworkPolicy',
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1 RoleBinding',
  'resource.k8s.io/v1 ResourceClaim',
  'resource.k8s.io/v1 ResourceClaimTemplate',
  'resource.k8s.io/v1 ResourceSlice',
  'resource.k8s.io/v1alpha3 DeviceTaintRule',
  'resource.k8s.io/v1alpha3 ResourcePoolStatusRequest',
  'resource.k8s.io/v1beta1 ResourceClaim',
  'resource.k8s.io/v1beta1 ResourceClaimTemplate',
  'resource.k8s.io/v1beta1 ResourceSlice',
  'resource.k8s.io/v1beta2 DeviceTaintRule',
  'resource.k8s.io/v1beta2 ResourceClaim',
  'resource.k8s.io/v1beta2 ResourceClaimTemplate',
  'resource.k8s.io/v1beta2 ResourceSlice',
  'scheduling.k8s.io/v1 PriorityClass',
  'storage.k8s.io/v1 CSIDriver',
  'storage.k8s.io/v1 StorageClass',
  'storage.k8s.io/v1 VolumeAttachment',
  'v1 Endpoints',
  'v1 LimitRange',
  'v1 Namespace',
  'v1 Node',
  'v1 PersistentVolume',
  'v1 PersistentVolumeClaim',
  'v1 Pod',
  'v1 PodTemplate',
  'v1 ReplicationController',
  'v1 ResourceQuota',
  'v1 Secret',
  'v1 Service',
];

/** Groups that the other servers of the chain serve. */
const elsewhere: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

const isResource = (value: unknown): value is BuiltInResource =>
  typeof value === 'object' && value !== null && 'provide' in value && 'defaulters' in value;

describe('the list of built-in resources', () => {
  const listed = builtInGroups.flatMap(({ resources }) => resources);
  const definitions = listed.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));

  it('has every resource that has a folder', async () => {
    const forgotten: string[] = [];
    for (const group of readdirSync(import.meta.dirname, { withFileTypes: true })) {
      if (!group.isDirectory()) continue;
      for (const name of readdirSync(`${import.meta.dirname}/${group.name}`)) {
        const path = `${group.name}/${name}/resource.ts`;
        if (!existsSync(`${import.meta.dirname}/${path}`)) continue;
        const exported = Object.values((await import(`./${path}`)) as object).filter(isResource);
        if (exported.length === 0 || exported.some((resource) => !listed.includes(resource))) forgotten.push(path);
      }
    }
    expect(forgotten).to.deep.equal([]);
  });

  it('has every resource that the reference stores', () => {
    const served = new Set(definitions.map(({ group, plural }) => `${group}/${plural}`));
    const missing = builtinResources()
      .filter(({ group, storage }) => storage !== undefined && !elsewhere.has(group))
      .map(({ group, resource }) => `${group}/${resource}`)
      .filter((name) => !served.has(name));
    expect(missing).to.deep.equal([]);
  });

  it('has each resource once', () => {
    const names = definitions.map(({ group, plural }) => `${group}/${plural}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).to.deep.equal([]);
  });

  it('prints a row wherever the reference has columns', () => {
    const printed = new Set(
      builtinResources()
        .filter(({ columns }) => columns?.every(({ name }) => name !== 'Created At') === true)
        .map(({ group, resource }) => `${group}/${resource}`),
    );
    const rowless = definitions.filter(
      ({ group, plural, row }) => row === undefined && printed.has(`${group}/${plural}`),
    );
    expect(rowless.map(({ plural }) => plural)).to.deep.equal([]);
  });

  it('has a status and a scale wherever the reference has them', () => {
    const missing: string[] = [];
    for (const definition of definitions) {
      const subresources = new Set(
        builtinResources()
          .filter((row) => row.group === definition.group && row.resource === definition.plural)
          .flatMap((row) => row.subresources.map((sub) => sub.name)),
      );
      if (definition.status === undefined && definition.plural !== 'pods' && subresources.has('status'))
        missing.push(`${definition.plural}/status`);
      if (definition.scale === undefined && subresources.has('scale')) missing.push(`${definition.plural}/scale`);
    }
    expect(missing).to.deep.equal([]);
  });

  it('sets the defaults that the reference sets', () => {
    const kinds = listed.flatMap((resource) =>
      resource
        .defaulters({
          clock: { now: () => 0 },
          release: builtinRelease,
          capabilities: capabilitiesOf({ allowPrivileged: true }),
        })
        .map(({ gvk: { group, kind, version } }) => `${group === '' ? '' : `${group}/`}${version} ${kind}`),
    );
    expect(kinds.sort()).to.deep.equal(defaulted.toSorted());
  });

  it('refuses a resource that the reference does not have', () => {
    const unknown = storedResource({ group: 'apps', plural: 'gizmos', strategy: {} });
    expect(() => unknown.provide({} as RegistryContext)).to.throw(RegistryConfigError, 'gizmos');
  });
});
