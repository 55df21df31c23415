import type { ChildProcess } from 'node:child_process';
import { get as httpGet } from 'node:http';

/** Resolves with what a program has printed when it matches; what it prints later is read and forgotten. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match !== null) resolve(match);
    });
    child.once('exit', () => {
      reject(new Error(`it ended with ${text}`));
    });
  });
}

/** The body of an answer, over a connection of its own. */
export function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpGet(url, { agent: false, timeout: 5000 }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then((parts) => {
          resolve(parts.join(''));
        }, reject);
    });
    request.on('error', reject).on('timeout', () => request.destroy(new Error(`no answer from ${url}`)));
  });
}
