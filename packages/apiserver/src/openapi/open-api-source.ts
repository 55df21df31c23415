import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentV2 } from './document-v2.ts';

/** What `/openapi/v3` says: document name (`apis/apps/v1`) → where it is, with its hash. */
export interface OpenAPIIndex {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Documents of the next server in the chain, those behind it included; rejects when it does not answer. */
export interface OpenAPIDelegate {
  index(signal: AbortSignal): Promise<OpenAPIIndex>;
  documentV2(signal: AbortSignal): Promise<DocumentV2>;
}

/** The next server in the chain: who answers for documents that are not known here. */
export interface DocumentDelegate {
  readonly name: string;
  /** Absent where there is no next server. */
  readonly openAPI?: OpenAPIDelegate | undefined;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Documents of others beside the chain (extension API servers). Everything is answered from memory. */
export interface OpenAPISource {
  index(): OpenAPIIndex;
  /** Version 2 documents, in order of precedence. */
  documentsV2(): readonly DocumentV2[];
  /** Grows with each change. */
  readonly generation: number;
  /** Answers for a document that `index` names. */
  serve(name: string, request: IncomingMessage, response: ServerResponse): void;
}
