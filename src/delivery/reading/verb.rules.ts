export function verbOf(fileName: string): 'Read' | 'Listen' | 'Watch' | null {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
  if (ending === 'pdf' || ending === 'epub') return 'Read'
  if (['mp3', 'wav', 'flac', 'ogg', 'm4a', 'm4b'].includes(ending)) return 'Listen'
  return ['mp4', 'webm'].includes(ending) ? 'Watch' : null
}

export const readPath = (lineId: string, fileId?: string) => `/read/${lineId}${fileId ? `?file=${fileId}` : ''}`
