// Asks a model behind an OpenAI-compatible interface (`/chat/completions`): vLLM, Ollama, llama.cpp and others have it.

import { ServiceError } from '../../../domain/errors.ts';

export interface ChatOptions {
  /** Base address, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Sent as `Bearer`. */
  readonly key?: string;
}

const MAX_BYTES = 64 * 1_024;
const MAX_TOKENS = 300;

/**
 * Resolves to the text of the answer. Follows no redirect, since it would take the key elsewhere.
 * Rejects with `unavailable`. The message has nothing of the answer.
 */
export async function ask(
  { url, model, key }: ChatOptions,
  messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[],
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    redirect: 'error',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, messages, temperature: 0, seed: 0, max_tokens: MAX_TOKENS, stream: false }),
  });
  const text = await bounded(response);
  if (response.status !== 200) throw unavailable(`the model answered with status ${response.status}`);
  const content = contentOf(text);
  if (content === undefined) throw unavailable('the answer of the model cannot be read');
  return content;
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw unavailable(`the answer of the model has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function contentOf(text: string): string | undefined {
  try {
    const content: unknown = JSON.parse(text)?.choices?.[0]?.message?.content;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

export function unavailable(message: string): ServiceError {
  return new ServiceError('unavailable', message, { reason: 'SUMMARY_MODEL' });
}
