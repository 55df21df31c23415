import type { ServerResponse } from 'node:http';

/** Writes indented JSON as upstream's WriteRawJSON does, for documents that are no API objects. */
export function writeRawJSON(response: ServerResponse, code: number, value: unknown): void {
  if (response.headersSent) return;
  const body = Buffer.from(JSON.stringify(value, undefined, 2));
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', body.length);
  response.writeHead(code);
  response.end(body);
}
