/** How a file that others wrote is sent: UTF-8 text as text, anything else as bytes. */
export function contentType(content: Uint8Array): string {
  return isText(content) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
