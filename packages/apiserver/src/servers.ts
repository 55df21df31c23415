/** Entry point `@kubechain/apiserver/servers`: what a server of the chain is assembled from. */
export { knownPlugins } from './options/known-plugins.ts';
export { NamespaceAutoProvision } from './admission/namespace-auto-provision.ts';
export { ResourceQuota } from './admission/quota/resource-quota.ts';
export { aggregatedResources } from './endpoints/discovery/aggregated-resources.ts';
export type { APIGroup, APIGroupDiscovery, APIVersionDiscovery } from './endpoints/discovery/api-resource.ts';
export { DiscoveryManager } from './endpoints/discovery/discovery-manager.ts';
export type { DiscoveryPriority } from './endpoints/discovery/discovery-manager.ts';
export {
  checkMethod,
  discoveryDocument,
  negotiateAggregated,
  serveAggregated,
  serveDocument,
} from './endpoints/discovery/serve-document.ts';
export type { DiscoveryDocument } from './endpoints/discovery/serve-document.ts';
export { FileContent } from './files/file-content.ts';
export type { HealthCheck } from './health/health-check.ts';
export { controlLinkOfProcess } from './process/open-control-link.ts';
export { NonResourceMux } from './mux/non-resource-mux.ts';
export { checkRouteAccept } from './negotiation/route-accept.ts';
export { convertV2 } from './openapi/convert-v2.ts';
export type { DocumentV2 } from './openapi/document-v2.ts';
export { filterV2 } from './openapi/filter-v2.ts';
export type { OpenAPIIndex, OpenAPISource } from './openapi/open-api-source.ts';
export { beginContent, isUnmodified } from './openapi/serve-content.ts';
export { serveDocumentV3 } from './openapi/serve-document-v3.ts';
export { StoredDocument, goJSON } from './openapi/stored-document.ts';
export { limitedResources } from './admission/quota/limited-resources.ts';
export { genericPlugins } from './process/admission-parts.ts';
export type { AdmissionParts } from './process/admission-parts.ts';
export { offeredPlugins } from './process/admission-registry.ts';
export type { MakePlugin, OfferedPlugin } from './process/admission-registry.ts';
export type { AssemblyInput, ServerEnvironment } from './process/assembly-input.ts';
export { CommonPart, Commons, commonly } from './process/commons.ts';
export { openGenericServer } from './process/generic-server.ts';
export type { GenericServer } from './process/generic-server.ts';
export { openHeapGauge } from './process/open-heap-gauge.ts';
export { openSharedParts } from './process/open-shared-parts.ts';
export type { OpenedStorage } from './process/open-storage.ts';
export { storageVersionHook, tellsStorageVersions } from './process/tells-storage-versions.ts';
export { openStoredResources } from './process/open-stored-resources.ts';
export type { Security } from './process/security.ts';
export { serveAssembled } from './process/serve-assembled.ts';
export type { AssembledServer } from './process/serve-assembled.ts';
export { openServerParts } from './process/server-parts.ts';
export type { ServerParts } from './process/server-parts.ts';
export { StoredResources } from './process/stored-resources.ts';
export { serverSecrets } from './authentication/server-secrets.ts';
export type { ServerSecrets } from './authentication/server-secrets.ts';
export { writeError } from './responses/write-status.ts';
export type { Config } from './server/completed-config.ts';
export type { DelegationTarget } from './server/delegation-target.ts';
export { emptyDelegate } from './server/delegation/empty-delegate.ts';
export { callDirectly } from './server/direct-call.ts';
export type { DirectAnswer, DirectCall } from './server/direct-call.ts';
export { GenericAPIServer } from './server/generic-api-server.ts';
export { awaitStorageVersion } from './storage-version/await-storage-version.ts';
export { StorageVersionBarrier } from './storage-version/storage-version-barrier.ts';
export { inProcessDelegate } from './server/in-process-delegate.ts';
export { ShownCertificate } from './server/serving/shown-certificate.ts';
export { TenantRouter, tenantPath } from './server/tenant-router.ts';
