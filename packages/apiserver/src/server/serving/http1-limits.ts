import { limits } from '@kubechain/apimachinery';

/** What Node is told of HTTP/1.1, the same at every listener. */
export const http1Limits = {
  /** Bytes of a request's line and headers. Go's server allows 1 MiB, Node 16 KiB. */
  maxHeaderSize: limits.requestHead.value,
  /** Ms that a client has to send them (apiserver/pkg/server/secure_serving.go, ReadHeaderTimeout). */
  headersTimeout: 32_000,
  /** None for the whole request: its own deadline holds (--request-timeout). */
  requestTimeout: 0,
  /** Ms. Longer than Go's clients keep idle connections (90 s), so that no request races with a close. */
  keepAliveTimeout: 180_000,
} as const;
