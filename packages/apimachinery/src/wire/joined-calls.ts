/**
 * Unary calls that share one stream of gRPC: the method of the embedded store that takes them, which etcd does not
 * have, and what stands before each of them.
 *
 *     request message   number (4) │ length of the path (1) │ path │ the call's message
 *     reply message     number (4) │ status of gRPC (1)     │ the reply, or the text of the error
 */
export const joinedCallsPath = '/kubechain.v1.Calls/Join';

/** Bytes of a request's head, and of a reply's. */
export const joinedHeadBytes = 5;
