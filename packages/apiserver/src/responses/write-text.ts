import type { ServerResponse } from 'node:http';

/**
 * A plain-text error as Go's http.Error writes it: `nosniff`, one newline after the text. Does nothing once the
 * response has begun.
 */
export function writeTextError(response: ServerResponse, code: number, text: string): void {
  if (response.headersSent) return;
  const body = Buffer.from(`${text}\n`);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Length', body.length);
  response.writeHead(code);
  response.end(body);
}

/** The 404 of a path that nobody serves (Go's http.NotFound). */
export function writePathNotFound(response: ServerResponse): void {
  writeTextError(response, 404, '404 page not found');
}
