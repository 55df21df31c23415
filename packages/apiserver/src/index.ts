export type { TokenAuthenticator } from './authentication/authenticator.ts';
export type { UserInfo } from './request/user-info.ts';
export type { AuthorizationAttributes, Authorizer, RuleResolver } from './authorization/authorizer.ts';
export type {
  AdmissionAttributes,
  AdmissionChain,
  AdmissionOperation,
  AdmissionPlugin,
} from './admission/admission.ts';
export type { RequestContext } from './request/request-context.ts';
export { overriding } from './registry/rest/overriding.ts';
export type {
  ConnectExchange,
  CreateOptions,
  DeleteOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  ValidateObject,
} from './registry/rest/storage.ts';
export type { DelegationTarget } from './server/delegation-target.ts';
export type { APIGroupInfo } from './endpoints/installer/api-group-info.ts';
export type { ResourceRoute, ResourceRoutes } from './endpoints/route.ts';
export { getRequestContext, setRequestContext } from './request/request-context.ts';
export { beginPhase, endPhase } from './request/timed.ts';
export { writeError } from './responses/write-status.ts';
export type { Strategy } from './registry/generic/strategy.ts';
export type { FieldReader, ResourceSpec } from './registry/generic/resource-spec.ts';
export { Store } from './registry/generic/store.ts';
export { createResource } from './registry/generic/create-resource.ts';
export { createStatusStorage } from './registry/generic/status-storage.ts';
export type { StoreHooks } from './registry/generic/store-hooks.ts';
export type { StoreEnvironment } from './registry/generic/store-environment.ts';
export { resourceCodec } from './registry/generic/resource-codec.ts';
export type { StorageMediaType } from './registry/generic/resource-codec.ts';
export { internalContext } from './registry/rest/internal-context.ts';
export { createFieldManager } from './registry/fieldmanager/managed-fields.ts';
export type { FieldManager } from './registry/fieldmanager/field-manager.ts';
export { OwnWrites } from './registry/fieldmanager/own-writes.ts';
export { deleteParameters } from './endpoints/handlers/parameters/delete-options.ts';
export { copyObject } from './registry/rest/copy-object.ts';
export { refuseUnmetPreconditions } from './registry/rest/unmet-precondition.ts';
export { everything, selectionPredicate } from './registry/rest/selection-predicate.ts';
export { isRecord } from './registry/rest/result.ts';
export { APIInstaller } from './endpoints/installer/api-installer.ts';
export { storageVersionHash } from './endpoints/installer/api-resource-of.ts';
export type { LazyResource } from './endpoints/installer/api-installer.ts';
export type { InstalledResource } from './endpoints/installer/installed-resource.ts';
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
export { checkRouteAccept } from './negotiation/route-accept.ts';
export { aggregatedResources } from './endpoints/discovery/aggregated-resources.ts';
export { AgeCell, ageSince } from './table/age-cell.ts';
export { humanDuration } from './table/human-duration.ts';
export { createdDescription, defaultTable, nameDescription } from './table/default-table.ts';
export type {
  APIGroup,
  APIGroupDiscovery,
  APIResource,
  APIVersionDiscovery,
} from './endpoints/discovery/api-resource.ts';
export type {
  PrintedRow,
  TableCell,
  TableColumnDefinition,
  TableConvertor,
  TableRowCondition,
} from './table/table-convertor.ts';
export type { NamespaceLister } from './admission/namespace-lister.ts';
export { interpretStorageError } from './registry/storage-errors.ts';
export {
  EXPIRATION_EXTENSION_SECONDS,
  WARN_ONLY_BOUND_TOKEN_EXPIRATION_SECONDS,
} from './authentication/service-account/claims.ts';
export {
  loadSigningKey,
  loadVerificationKeys,
  signingKey,
  verificationKey,
} from './authentication/service-account/keys.ts';
export type { VerificationKey } from './authentication/service-account/keys.ts';
export { TokenGenerator } from './authentication/service-account/token-generator.ts';
export { splitServiceAccountUsername } from './authentication/service-account/username.ts';
export { authorizationAttributes } from './authorization/attributes.ts';
export { forbiddenError } from './authorization/forbidden.ts';
export { nodeNameOf } from './authorization/node/node-identity.ts';
export { bootstrapPolicy } from './authorization/rbac/bootstrap/bootstrap-policy.ts';
export { ensureBootstrapPolicy } from './authorization/rbac/bootstrap/ensure-policy.ts';
export { escalationAllowed } from './authorization/rbac/escalation.ts';
export type { RoleStorages } from './authorization/rbac/role-feeds.ts';
export { ObjectInformer } from './informers/object-informer.ts';
export type { InformerChange } from './informers/object-informer.ts';
export { FileContent } from './files/file-content.ts';
export { featureEnabled } from './options/feature-gates.ts';
export { goErrorText } from './services/go-error-text.ts';
export { joinHostPort } from './proxy/backend.ts';
export type { Backend } from './proxy/backend.ts';
export { checkUpgradeStatus, openBackendUpgrade, spliceBackend } from './proxy/backend-upgrade.ts';
export { getFromBackend } from './proxy/get-from-backend.ts';
export { clientHeaders, hasBody, unpacksAnswers } from './proxy/client-headers.ts';
export { rewriteLink } from './proxy/link-rewriter.ts';
export { encodeQuery, escapePath, originForm, outgoingURL } from './proxy/outgoing-url.ts';
export { corsHeaders, sendProxiedAnswer } from './proxy/proxied-answer.ts';
export { ProxyError } from './proxy/proxy-error.ts';
export { isWebSocketRequest } from './streaming/web-socket-handshake.ts';
export { streamOverWebSocket } from './streaming/stream-over-web-socket.ts';
export { wantsChannels } from './streaming/command-channels.ts';
export { translateStreams } from './proxy/stream-translator.ts';
export { tunnelSpdy, wantsTunnel } from './proxy/spdy-tunnel.ts';
export { proxyToBackend, proxyUpgradeOnly } from './proxy/upgrade-aware-proxy.ts';
export {
  ServiceResolutionError,
  clusterResolver,
  endpointResolver,
  loopbackAddress,
  loopbackResolver,
} from './services/resolve-service.ts';
export type { ServiceResolver } from './services/resolve-service.ts';
export { ServiceDirectory } from './services/service-directory.ts';
export type { RoutedService, RoutedSlice, Services } from './services/service-directory.ts';
export { callFailureOf } from './webhook/call-failure.ts';
export type { CallFailure } from './webhook/call-failure.ts';
export { WebhookClient } from './webhook/webhook-client.ts';
export { validateWebhookTarget } from './webhook/validate-target.ts';
export { WebhookServices } from './webhook/webhook-services.ts';
export { createScaleStorage } from './registry/generic/scale-storage.ts';
export type { ScaleAccess } from './registry/generic/scale-storage.ts';
export { ResourceQuota } from './admission/quota/resource-quota.ts';
export { plainObjects } from './admission/plain-objects.ts';
export { Reinvocation } from './admission/reinvocation.ts';
export { Composition } from './admission/cel/composition.ts';
export type { OptionalVariables } from './admission/cel/variables.ts';
export { compileAdmissionExpression, resultTypes } from './admission/cel/expression.ts';
export type { CompileOptions, Expression } from './admission/cel/expression.ts';
export { admissionForbidden } from './admission/admission-error.ts';
export { GenericAPIServer } from './server/generic-api-server.ts';
export { NonResourceMux } from './mux/non-resource-mux.ts';
export { inProcessDelegate } from './server/in-process-delegate.ts';
export { emptyDelegate } from './server/delegation/empty-delegate.ts';
export { identityHeaders } from './server/delegation/identity-headers.ts';
export { refuseFilteredUpgrade } from './server/upgrades.ts';
export type { HealthCheck } from './health/health-check.ts';
export {
  autoUpdateAnnotation,
  defaultFlowSchemas,
  defaultPriorityLevels,
  mandatoryNames,
} from './flowcontrol/bootstrap-configuration.ts';
export type { DefaultConfiguration } from './flowcontrol/bootstrap-configuration.ts';
export { queuingOf } from './flowcontrol/queuing.ts';
export { writeTextError } from './responses/write-text.ts';
export { parseRequestInfo } from './request/request-info.ts';
export { configureLogging, Logger, Logging } from './logging/logger.ts';
export type { LoggingOptions } from './logging/logger.ts';
export { builtinResourceSpec } from './registry/generic/builtin-resource-spec.ts';
export type { BuiltinResource } from './registry/generic/builtin-resource-spec.ts';
export type { OpenedStorage } from './process/open-storage.ts';
export type { Security } from './process/security.ts';
export { StoredResources } from './process/stored-resources.ts';
export type { ResourceStorage } from './informers/resource-storage.ts';
export { Assembly } from './process/assembly.ts';
export type { AssemblyObserver } from './process/assembly.ts';
export { openServerParts } from './process/server-parts.ts';
export type { ServerParts } from './process/server-parts.ts';
export type { Config } from './server/completed-config.ts';
export type { AssemblyInput, ServerEnvironment } from './process/assembly-input.ts';
export { openSharedParts } from './process/open-shared-parts.ts';
export { openStoredResources } from './process/open-stored-resources.ts';
export { openGenericServer } from './process/generic-server.ts';
export type { GenericServer } from './process/generic-server.ts';
export { serveAssembled } from './process/serve-assembled.ts';
export type { AssembledServer } from './process/serve-assembled.ts';
export { knownPlugins } from './admission/known-plugins.ts';
export { genericPlugins } from './process/admission-parts.ts';
export type { AdmissionParts } from './process/admission-parts.ts';
export { offeredPlugins } from './process/admission-registry.ts';
export type { MakePlugin, OfferedPlugin } from './process/admission-registry.ts';
export { guardBindings, guardRoles } from './authorization/rbac/guarded-storage.ts';
export type { CustomResourceOpenAPI } from './endpoints/installer/custom-resource-open-api.ts';
export type { OpenAPIIndex, OpenAPISource } from './openapi/open-api-source.ts';
export type { DocumentV2 } from './openapi/document-v2.ts';
export { serveDocumentV3 } from './openapi/serve-document-v3.ts';
export { filterV2 } from './openapi/filter-v2.ts';
export { StoredDocument, goJSON } from './openapi/stored-document.ts';
export { convertV2 } from './openapi/convert-v2.ts';
