const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;

/**
 * Finds the last fenced block of a message that is meant as JSON: labelled `json`, or without a label and beginning with a brace.
 * A fence that is never closed ends with the message.
 */
export function lastJsonBlock(message: string): string | undefined {
  let last: string | undefined;
  let open: { readonly fence: string; readonly label: string; readonly lines: string[] } | undefined;
  for (const line of message.split(/\r?\n/)) {
    const fence = FENCE.exec(line);
    if (open === undefined) {
      if (fence?.[1] !== undefined) open = { fence: fence[1], label: (fence[2] ?? '').toLowerCase(), lines: [] };
    } else if (closes(line, open.fence)) {
      last = jsonText(open) ?? last;
      open = undefined;
    } else open.lines.push(line);
  }
  return open === undefined ? last : (jsonText(open) ?? last);
}

function closes(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && [...text].every((char) => char === fence[0]);
}

function jsonText({ label, lines }: { readonly label: string; readonly lines: readonly string[] }): string | undefined {
  const text = lines.join('\n').trim();
  return label === 'json' || (label === '' && text.startsWith('{')) ? text : undefined;
}
