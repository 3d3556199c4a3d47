import { isoOf } from '../../kit/sql/json.server.ts'
import type { Kind } from '../kindOfGoods.server.ts'
import { isNewerThan } from './versions.server.ts'

/** Versions of files, which never run out. The entitlement alone lets the buyer download them. */
export const files: Kind = {
  name: 'file',
  shown: `json_build_object('kind', 'file', 'fileName', f.file_name, 'contentType', f.content_type, 'sizeBytes', f.size_bytes,
    'sha256', f.sha256, 'moreFiles', cardinality(l.more_file_ids),
    'newer', (SELECT json_build_object('fileName', n.file_name, 'sizeBytes', n.size_bytes, 'note', n.note, 'addedAt', ${isoOf('n.created_at')})
      FROM product_files n WHERE ${isNewerThan('f')}))`,
}
