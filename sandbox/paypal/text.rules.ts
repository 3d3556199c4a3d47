/**
 * The text of a top-level member of a JSON object, byte for byte, because a signature covers bytes and not values.
 * `json` must be valid; undefined when it has no such member.
 */
export function memberText(json: string, name: string): string | undefined {
  const members = /\s*("(?:[^"\\]|\\.)*")\s*:\s*/y
  let at = json.indexOf('{') + 1
  for (;;) {
    members.lastIndex = at
    const found = members.exec(json)
    if (!found) return undefined
    const start = members.lastIndex
    const end = endOfValue(json, start)
    if (JSON.parse(found[1]!) === name) return json.slice(start, end).trimEnd()
    at = end + 1
  }
}

/** Where the comma or bracket stands that ends the value which starts at `at`. */
function endOfValue(json: string, at: number): number {
  let depth = 0
  for (; at < json.length; at++) {
    const char = json[at]!
    if (char === '"') at = endOfString(json, at)
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']' || char === ',') && depth === 0) return at
    else if (char === '}' || char === ']') depth--
  }
  return at
}

function endOfString(json: string, at: number): number {
  for (at++; json[at] !== '"' && at < json.length; at++) if (json[at] === '\\') at++
  return at
}
