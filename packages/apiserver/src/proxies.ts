/**
 * Entry point `@kubechain/apiserver/proxies`: for handlers that send requests on, to services, nodes, pods and
 * extension API servers.
 */
export { checkUpgradeStatus, openBackendUpgrade, spliceBackend } from './proxy/backend-upgrade.ts';
export { joinHostPort } from './services/join-host-port.ts';
export type { Backend, Reach } from './proxy/backend.ts';
export { boundInformation } from './request/bound-information.ts';
export { clientHeaders, hasBody, unpacksAnswers } from './proxy/client-headers.ts';
export { detectContentType, sniffBytes } from './proxy/detect-content-type.ts';
export { ExchangeEnd, type ExchangeCountsOf } from './proxy/exchange-end.ts';
export { ExchangeTerminations } from './metrics/exchange-terminations.ts';
export { GatheredBody } from './request/gathered-body.ts';
export { getFromBackend } from './proxy/get-from-backend.ts';
export { rewriteLink } from './proxy/link-rewriter.ts';
export { encodeQuery, escapeDecodedPath, escapePath, originForm, outgoingURL } from './proxy/outgoing-url.ts';
export { corsHeaders, sendProxiedAnswer } from './proxy/proxied-answer.ts';
export { ProxyError } from './proxy/proxy-error.ts';
export { tunnelSpdy, wantsTunnel } from './proxy/spdy-tunnel.ts';
export { translateStreams } from './proxy/stream-translator.ts';
export { proxyToBackend, proxyUpgradeOnly, turnToConnect } from './proxy/upgrade-aware-proxy.ts';
export { outgoingTrace } from './request/caller-trace.ts';
export { getRequestContext, setRequestContext } from './request/request-context.ts';
export type { RequestContext } from './request/request-context.ts';
export { TurnQueue } from './request/turn-queue.ts';
export { parseRequestInfo } from './request/request-info.ts';
export { beginPhase, endPhase } from './request/timed.ts';
export { identityHeaders } from './server/delegation/identity-headers.ts';
export { refuseFilteredUpgrade } from './server/upgrades.ts';
export { goErrorText } from './services/go-error-text.ts';
export { cutResponse } from './responses/cut-response.ts';
export { writeTextError } from './responses/write-text.ts';
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
export { meetFault, type FaultyAnswer } from './peers/meet-fault.ts';
export type { PeerFaults } from './peers/peer-faults.ts';
