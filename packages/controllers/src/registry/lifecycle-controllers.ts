import type { StorageVersion } from '@kubechain/component-helpers';
import type { ControllerDescriptor } from '../controller/controller.ts';
import { whereServed } from '../controller/where-served.ts';
import type { StorageVersionMigration } from '../storageversionmigrator/migrations.ts';

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
  {
    name: 'namespace-controller',
    aliases: ['namespace'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'namespace-controller',
    // A namespace has some sixty resources to look into.
    limitFactor: { qps: 20, burst: 100 },
    make: async (context) => new (await import('../namespace/namespace-controller.ts')).NamespaceController(context),
  },
  {
    name: 'garbage-collector-controller',
    aliases: ['garbagecollector'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'generic-garbage-collector',
    limitFactor: { qps: 20, burst: 20 },
    make: async (context) => new (await import('../garbagecollector/garbage-collector.ts')).GarbageCollector(context),
  },
  {
    name: 'endpoints-controller',
    aliases: ['endpoint'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'endpoint-controller',
    make: async (context) => new (await import('../endpoint/endpoints-controller.ts')).EndpointsController(context),
  },
  {
    name: 'endpointslice-controller',
    aliases: ['endpointslice'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'endpointslice-controller',
    make: async (context) =>
      new (await import('../endpointslice/endpoint-slice-controller.ts')).EndpointSliceController(context),
  },
  {
    name: 'resourcequota-controller',
    aliases: ['resourcequota'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'resourcequota-controller',
    make: async (context) =>
      new (await import('../resourcequota/resource-quota-controller.ts')).ResourceQuotaController(context),
  },
  {
    name: 'clusterrole-aggregation-controller',
    aliases: ['clusterrole-aggregation'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'clusterrole-aggregation-controller',
    make: async (context) => new (await import('../rbac/cluster-role-aggregation.ts')).ClusterRoleAggregation(context),
  },
  {
    name: 'endpointslice-mirroring-controller',
    aliases: ['endpointslicemirroring'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'endpointslicemirroring-controller',
    make: async (context) =>
      new (
        await import('../endpointslicemirroring/endpoint-slice-mirroring-controller.ts')
      ).EndpointSliceMirroringController(context),
  },
  {
    name: 'serviceaccount-token-controller',
    aliases: ['serviceaccount-token'],
    onByDefault: true,
    group: 'lifecycle',
    // Who hands out tokens cannot need one: it acts as the process.
    serviceAccount: undefined,
    make: async (context) =>
      (await import('../serviceaccount/token-secrets-controller.ts')).newTokenSecretsController(context),
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    aliases: ['csrsigning'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'certificate-controller',
    make: async (context) => (await import('../certificates/csr-signer.ts')).newCSRSigner(context),
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    aliases: ['csrapproving'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'certificate-controller',
    make: async (context) => (await import('../certificates/csr-approver.ts')).newCSRApprover(context),
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    aliases: ['csrcleaner'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'certificate-controller',
    make: async (context) => new (await import('../certificates/csr-cleaner.ts')).CSRCleaner(context),
  },
  {
    name: 'bootstrap-signer-controller',
    aliases: ['bootstrapsigner'],
    onByDefault: false,
    group: 'lifecycle',
    serviceAccount: 'bootstrap-signer',
    make: async (context) => new (await import('../bootstrap/bootstrap-signer.ts')).BootstrapSigner(context),
  },
  {
    name: 'token-cleaner-controller',
    aliases: ['tokencleaner'],
    onByDefault: false,
    group: 'lifecycle',
    serviceAccount: 'token-cleaner',
    make: async (context) => new (await import('../bootstrap/token-cleaner.ts')).TokenCleaner(context),
  },
  {
    name: 'legacy-serviceaccount-token-cleaner-controller',
    aliases: ['legacy-service-account-token-cleaner'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'legacy-service-account-token-cleaner',
    make: async (context) =>
      new (await import('../serviceaccount/legacy-token-cleaner.ts')).LegacyTokenCleaner(context),
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    aliases: ['validatingadmissionpolicy-status'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'validatingadmissionpolicy-status-controller',
    make: async (context) =>
      new (await import('../validatingadmissionpolicystatus/policy-status-controller.ts')).PolicyStatusController(
        context,
      ),
  },
  {
    name: 'service-cidr-controller',
    aliases: [],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'service-cidrs-controller',
    make: async (context) =>
      new (await import('../servicecidrs/service-cidrs-controller.ts')).ServiceCIDRsController(context),
  },
  {
    name: 'storage-version-migrator-controller',
    aliases: ['svm'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'storage-version-migrator-controller',
    // A migration writes every object of a resource.
    limitFactor: { qps: 20, burst: 100 },
    make: async (context) =>
      whereServed<StorageVersionMigration>(
        context,
        { group: 'storagemigration.k8s.io', resource: 'storageversionmigrations' },
        async (type) =>
          new (await import('../storageversionmigrator/storage-version-migrator.ts')).StorageVersionMigrator(
            context,
            type,
          ),
      ),
  },
  {
    name: 'storageversion-garbage-collector-controller',
    aliases: ['storage-version-gc'],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'storage-version-garbage-collector',
    make: async (context) =>
      whereServed<StorageVersion>(
        context,
        { group: 'internal.apiserver.k8s.io', resource: 'storageversions' },
        async (type) => new (await import('../storageversiongc/storage-version-gc.ts')).StorageVersionGC(context, type),
      ),
  },
  {
    name: 'kube-apiserver-serving-clustertrustbundle-publisher-controller',
    aliases: [],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'kube-apiserver-serving-clustertrustbundle-publisher',
    make: async (context) =>
      (await import('../certificates/trust-bundle-publisher.ts')).newTrustBundlePublisher(context),
  },
  {
    name: 'podcertificaterequest-cleaner-controller',
    aliases: [],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: 'podcertificaterequestcleaner',
    make: async (context) =>
      whereServed(
        context,
        { group: 'certificates.k8s.io', resource: 'podcertificaterequests' },
        async (type) =>
          new (await import('../certificates/pod-certificate-request-cleaner.ts')).PodCertificateRequestCleaner(
            context,
            type,
          ),
      ),
  },
];
