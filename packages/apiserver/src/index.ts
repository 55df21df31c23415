export type { AuthenticatedUser, RequestAuthenticator, TokenAuthenticator } from './authentication/authenticator.ts';
export type { UserInfo } from './request/user-info.ts';
export type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  Decision,
  NonResourceRule,
  ResourceRule,
  RuleResolver,
} from './authorization/authorizer.ts';
export type {
  AdmissionAttributes,
  AdmissionChain,
  AdmissionOperation,
  AdmissionPlugin,
} from './admission/admission.ts';
export type { RequestContext, RequestInfo } from './request/request-context.ts';
export { overriding } from './registry/rest/overriding.ts';
export type {
  ConnectExchange,
  Connection,
  CreateOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  UpdatedObjectInfo,
  UpdateOptions,
  ValidateObject,
  ValidateObjectUpdate,
  WatchOptions,
} from './registry/rest/storage.ts';
export type { DelegationTarget } from './server/delegation-target.ts';
export type { APIGroupInfo } from './endpoints/installer/api-group-info.ts';
export type { ResourceHandler, ResourceRoute, ResourceRoutes, UpgradeHandler } from './endpoints/route.ts';
export { findRequestContext, getRequestContext, setRequestContext } from './request/request-context.ts';
export { beginPhase, endPhase } from './request/timed.ts';
export { writeError, writeStatus } from './responses/write-status.ts';
export { errorToStatus } from './responses/error-to-status.ts';
export type { GarbageCollectionPolicy, MutableDeleteOptions, Strategy } from './registry/generic/strategy.ts';
export type { FieldReader, ResourceSpec } from './registry/generic/resource-spec.ts';
export { Store } from './registry/generic/store.ts';
export { createResource } from './registry/generic/create-resource.ts';
export type { CreateResourceOptions } from './registry/generic/create-resource.ts';
export { createStatusStorage } from './registry/generic/status-storage.ts';
export type { FinishFunction, StoreHooks } from './registry/generic/store-hooks.ts';
export { systemEnvironment } from './registry/generic/store-environment.ts';
export type { StoreEnvironment } from './registry/generic/store-environment.ts';
export { resourceCodec } from './registry/generic/resource-codec.ts';
export type { StorageMediaType } from './registry/generic/resource-codec.ts';
export { internalContext } from './registry/rest/internal-context.ts';
export { createFieldManager } from './registry/fieldmanager/managed-fields.ts';
export type { FieldManager } from './registry/fieldmanager/field-manager.ts';
export { OwnWrites } from './registry/fieldmanager/own-writes.ts';
export type { OwnWritesOptions } from './registry/fieldmanager/own-writes.ts';
export type { InternalContextOptions } from './registry/rest/internal-context.ts';
export { deleteParameters } from './endpoints/handlers/parameters/delete-options.ts';
export { copyObject } from './registry/rest/copy-object.ts';
export { refuseUnmetPreconditions } from './registry/rest/unmet-precondition.ts';
export { everything, selectionPredicate } from './registry/rest/selection-predicate.ts';
export { isRecord } from './registry/rest/result.ts';
export { APIInstaller } from './endpoints/installer/api-installer.ts';
export { storageVersionHash } from './endpoints/installer/api-resource-of.ts';
export type { LazyResource } from './endpoints/installer/api-installer.ts';
export type { APIInstallerOptions, InstalledResource } from './endpoints/installer/installed-resource.ts';
export { DiscoveryManager } from './endpoints/discovery/discovery-manager.ts';
export type {
  DiscoveryChange,
  DiscoveryPriority,
  GroupVersionOptions,
} from './endpoints/discovery/discovery-manager.ts';
export { DiscoveryEndpoints } from './endpoints/discovery/discovery-endpoints.ts';
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
export type { DiscoveryEndpointsOptions, DiscoveryMux } from './endpoints/discovery/discovery-endpoints.ts';
export { AgeCell, ageSince } from './table/age-cell.ts';
export { humanDuration } from './table/human-duration.ts';
export { createdDescription, defaultTable, nameDescription } from './table/default-table.ts';
export type {
  APIGroup,
  APIGroupDiscovery,
  APIResource,
  APIResourceDiscovery,
  APISubresourceDiscovery,
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
export { newAuthentication } from './authentication/authentication-config.ts';
export type {
  Authentication,
  AuthenticationConfig,
  RequestHeaderConfig,
  ServiceAccountConfig,
} from './authentication/authentication-config.ts';
export { AuthenticationError, isAuthenticationError } from './authentication/authentication-error.ts';
export type { AuthenticationErrorCode } from './authentication/authentication-error.ts';
export { audiencesAreAcceptable, intersectAudiences } from './authentication/audiences.ts';
export {
  clearIdentityHeaders,
  identityFromHeaders,
  requestHeaderAuthenticator,
  STANDARD_REQUEST_HEADERS,
} from './authentication/request-header/request-header.ts';
export type { RequestHeaderNames } from './authentication/request-header/request-header.ts';
export {
  EXPIRATION_EXTENSION_SECONDS,
  WARN_ONLY_BOUND_TOKEN_EXPIRATION_SECONDS,
} from './authentication/service-account/claims.ts';
export type { TokenSubject } from './authentication/service-account/claims.ts';
export {
  loadSigningKey,
  loadVerificationKeys,
  signingKey,
  verificationKey,
} from './authentication/service-account/keys.ts';
export type { SigningKey, VerificationKey } from './authentication/service-account/keys.ts';
export { TokenGenerator } from './authentication/service-account/token-generator.ts';
export type { IssuedToken, TokenGeneratorOptions } from './authentication/service-account/token-generator.ts';
export type { ServiceAccountTokenGetter } from './authentication/service-account/token-getter.ts';
export {
  serviceAccountGroups,
  serviceAccountUsername,
  splitServiceAccountUsername,
} from './authentication/service-account/username.ts';
export {
  rejectUnsupportedAuthenticationFlags,
  UNSUPPORTED_AUTHENTICATION_FLAGS,
} from './authentication/unsupported-flags.ts';
export {
  ANONYMOUS_USER,
  API_SERVER_USER,
  AUTHENTICATED_GROUP,
  CREDENTIAL_ID_KEY,
  NODE_USER_PREFIX,
  NODES_GROUP,
  PRIVILEGED_GROUP,
  UNAUTHENTICATED_GROUP,
} from './authentication/well-known-users.ts';
export { authorizationAttributes } from './authorization/attributes.ts';
export { newAuthorization, parseAuthorizationModes } from './authorization/authorization-config.ts';
export type { Authorization, AuthorizationConfig, AuthorizationMode } from './authorization/authorization-config.ts';
export { forbiddenError } from './authorization/forbidden.ts';
export { followNodes } from './authorization/node/node-feeds.ts';
export type { FollowedNodes, NodeStorages } from './authorization/node/node-feeds.ts';
export { nodeNameOf } from './authorization/node/node-identity.ts';
export { bootstrapPolicy, nodeRules } from './authorization/rbac/bootstrap/bootstrap-policy.ts';
export type { BootstrapPolicy } from './authorization/rbac/bootstrap/bootstrap-policy.ts';
export { ensureBootstrapPolicy } from './authorization/rbac/bootstrap/ensure-policy.ts';
export type { EnsurePolicyOptions, PolicyRegistries } from './authorization/rbac/bootstrap/ensure-policy.ts';
export {
  AGGREGATION_FORBIDDEN,
  bindingAuthorized,
  confirmNoEscalation,
  escalationAllowed,
  mayAggregate,
  roleEscalationAuthorized,
} from './authorization/rbac/escalation.ts';
export type { PolicyRuleSource } from './authorization/rbac/escalation.ts';
export { RBAC_GROUP } from './authorization/rbac/rbac-objects.ts';
export type {
  AggregationRule,
  PolicyRule,
  RoleBindingObject,
  RoleObject,
  RoleRef,
  Subject,
} from './authorization/rbac/rbac-objects.ts';
export { followRoles, readRoleStore } from './authorization/rbac/role-feeds.ts';
export type { FollowedRoles, RoleStorages } from './authorization/rbac/role-feeds.ts';
export { RoleStore } from './authorization/rbac/role-store.ts';
export { ObjectInformer } from './informers/object-informer.ts';
export type { InformerChange, ObjectInformerOptions } from './informers/object-informer.ts';
export { FileContent } from './files/file-content.ts';
export { featureEnabled } from './options/feature-gates.ts';
export { goErrorText } from './services/go-error-text.ts';
export { dialAddress, joinHostPort } from './proxy/backend.ts';
export type { Backend } from './proxy/backend.ts';
export { checkUpgradeStatus, openBackendUpgrade, spliceBackend } from './proxy/backend-upgrade.ts';
export { getFromBackend } from './proxy/get-from-backend.ts';
export { clientHeaders, hasBody, unpacksAnswers } from './proxy/client-headers.ts';
export { rewriteLink } from './proxy/link-rewriter.ts';
export { encodeQuery, escapePath, originForm, outgoingURL } from './proxy/outgoing-url.ts';
export { corsHeaders, sendProxiedAnswer } from './proxy/proxied-answer.ts';
export { ProxyError } from './proxy/proxy-error.ts';
export { isWebSocketRequest, offeredProtocols } from './streaming/web-socket-handshake.ts';
export { streamOverWebSocket } from './streaming/stream-over-web-socket.ts';
export { wantsChannels } from './streaming/command-channels.ts';
export type { CommandStreams } from './streaming/remote-command.ts';
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
export type { ServicePort, ServiceResolver } from './services/resolve-service.ts';
export { ServiceDirectory } from './services/service-directory.ts';
export type { RoutedService, RoutedSlice, Services } from './services/service-directory.ts';
export { callFailureOf } from './webhook/call-failure.ts';
export type { CallFailure } from './webhook/call-failure.ts';
export { WebhookClient } from './webhook/webhook-client.ts';
export type { WebhookTarget } from './webhook/webhook-client.ts';
export { validateWebhookTarget } from './webhook/validate-target.ts';
export { WebhookServices } from './webhook/webhook-services.ts';
export { createScaleStorage } from './registry/generic/scale-storage.ts';
export type { ScaleAccess } from './registry/generic/scale-storage.ts';
export { createAdmissionChain } from './admission/chain.ts';
export { QuotaSource } from './admission/quota/quota-source.ts';
export { ResourceQuota } from './admission/quota/resource-quota.ts';
export { plainObjects } from './admission/plain-objects.ts';
export { Reinvocation } from './admission/reinvocation.ts';
export { Composition } from './admission/cel/composition.ts';
export type { OptionalVariables } from './admission/cel/variables.ts';
export { compileAdmissionExpression, resultTypes } from './admission/cel/expression.ts';
export type { CompileOptions, Expression } from './admission/cel/expression.ts';
export type { AdmissionPolicies } from './process/admission-policies.ts';
export type { AdmissionWebhooks } from './process/admission-webhooks.ts';
export type { AdmissionObserver } from './admission/chain.ts';
export { admissionForbidden, admissionForbiddenError } from './admission/admission-error.ts';
export { NamespaceLifecycle } from './admission/namespace-lifecycle.ts';
export type { NamespaceLifecycleOptions } from './admission/namespace-lifecycle.ts';
export { completeConfig } from './server/config.ts';
export type { CompletedConfig, Config } from './server/completed-config.ts';
export { GenericAPIServer } from './server/generic-api-server.ts';
export { PreparedServer } from './server/prepared-server.ts';
export type { RunOptions, ServingInfo } from './server/prepared-server.ts';
export { PostStartHookError } from './server/post-start-hooks.ts';
export type { PostStartHook, PostStartHookContext, PreShutdownHook } from './server/post-start-hooks.ts';
export { NonResourceMux } from './mux/non-resource-mux.ts';
export type { MuxOptions } from './mux/non-resource-mux.ts';
export { kubernetesVersion, serverVersion } from './server/version.ts';
export type { VersionInfo } from './server/version.ts';
export type { SecureServingOptions } from './server/secure-serving.ts';
export type { CertificateFiles } from './server/serving-certificates.ts';
export type { HttpDelegateOptions } from './server/delegation/http-delegate.ts';
export { inProcessDelegate } from './server/in-process-delegate.ts';
export { emptyDelegate } from './server/delegation/empty-delegate.ts';
export { parseDelegateAddress } from './server/delegation/delegate-address.ts';
export type { DelegateAddress } from './server/delegation/delegate-address.ts';
export type { DelegateListenerOptions } from './server/delegation/delegate-listener.ts';
export type { HopTLS } from './server/delegation/hop-pool.ts';
export { identityHeaders } from './server/delegation/identity-headers.ts';
export { unreachableStatus } from './server/delegation/delegation-error.ts';
export { answerError } from './server/director.ts';
export { refuseFilteredUpgrade } from './server/upgrades.ts';
export type { HealthCheck, HealthCheckResult, HealthEndpoint } from './health/health-check.ts';
export type { Filter, Handler, NamedFilter } from './request/filter.ts';
export type { FlowClassification, FlowController, FlowDecision } from './filters/flow-control.ts';
export {
  autoUpdateAnnotation,
  defaultFlowSchemas,
  defaultPriorityLevels,
  mandatoryNames,
} from './flowcontrol/bootstrap-configuration.ts';
export type { DefaultConfiguration } from './flowcontrol/bootstrap-configuration.ts';
export { queuingOf } from './flowcontrol/queuing.ts';
export { RequestAbortedError, ServerRequestContext } from './request/server-request-context.ts';
export { writeRawJSON } from './responses/write-json.ts';
export { writePathNotFound, writeTextError } from './responses/write-text.ts';
export { parseRequestInfo, parseRequestTarget } from './request/request-info.ts';
export { configureLogging, Logger, Logging } from './logging/logger.ts';
export type { LogFields, LoggingOptions } from './logging/logger.ts';
export type { Exposition } from './metrics/exposition.ts';
export type { AuditObjects } from './request/request-context.ts';
export {
  auditorFromFlags,
  delegateFromFlags,
  delegateListenerFromFlags,
  genericConfigFromFlags,
  secureServingFromFlags,
} from './server/config-from-flags.ts';
export { Auditor } from './audit/auditor.ts';
export { tlsSocketOf } from './request/tls-socket.ts';
export { builtinResourceSpec, builtinStoragePrefixes } from './registry/generic/builtin-resource-spec.ts';
export type { BuiltinResource } from './registry/generic/builtin-resource-spec.ts';
export { openStorage } from './process/open-storage.ts';
export type { OpenedStorage, OpenStorageOptions } from './process/open-storage.ts';
export type { Security } from './process/security.ts';
export { StoredResources } from './process/stored-resources.ts';
export { authenticationFromFlags } from './authentication/authentication-from-flags.ts';
export type { AuthenticationDependencies } from './authentication/authentication-from-flags.ts';
export { storageTokenGetter } from './authentication/service-account/storage-token-getter.ts';
export { authorizationFromFlags, roleStorages } from './authorization/authorization-from-flags.ts';
export type { RunningAuthorization } from './authorization/authorization-from-flags.ts';
export { existingStorages, readOnlyStorages } from './informers/resource-storage.ts';
export type { ResourceStorage, ResourceStorages } from './informers/resource-storage.ts';
export { Assembly } from './process/assembly.ts';
export type { AssemblyObserver } from './process/assembly.ts';
export { openServerParts } from './process/server-parts.ts';
export type { ServerParts } from './process/server-parts.ts';
export type { AssemblyInput, CommonFlagValues, ServerEnvironment } from './process/assembly-input.ts';
export { openSharedParts } from './process/open-shared-parts.ts';
export { openStoredResources } from './process/open-stored-resources.ts';
export type { Rights, SharedParts } from './process/shared-parts.ts';
export { openGenericServer } from './process/generic-server.ts';
export type { GenericServer, GenericServerOptions } from './process/generic-server.ts';
export { serveAssembled } from './process/serve-assembled.ts';
export type { AssembledServer, AssembleServer } from './process/serve-assembled.ts';
export { knownPlugins } from './admission/known-plugins.ts';
export { genericPlugins } from './process/admission-parts.ts';
export type { AdmissionParts } from './process/admission-parts.ts';
export { offeredPlugins } from './process/admission-registry.ts';
export type { MakePlugin, OfferedPlugin } from './process/admission-registry.ts';
export { guardBindings, guardRoles } from './authorization/rbac/guarded-storage.ts';
export type { GuardOptions } from './authorization/rbac/guarded-storage.ts';
export { openAPIForCustomResource } from './openapi/custom-resource.ts';
export type { CustomResourceParts } from './openapi/custom-resource.ts';
export type { CustomResourceOpenAPI } from './endpoints/installer/custom-resource-open-api.ts';
export type { OpenAPIDelegate, OpenAPIIndex, OpenAPISource } from './openapi/open-api-source.ts';
export type { DocumentV2 } from './openapi/document-v2.ts';
export { serveDocumentV3 } from './openapi/serve-document-v3.ts';
export { filterV2 } from './openapi/filter-v2.ts';
export { StoredDocument, goJSON } from './openapi/stored-document.ts';
export { convertV2 } from './openapi/convert-v2.ts';
