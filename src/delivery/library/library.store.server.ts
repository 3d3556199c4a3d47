import { shownName } from '../../catalogue/product.sql.server.ts'
import { statement } from '../../kit/database.server.ts'
import { isoOf } from '../../kit/sql/json.server.ts'
import { isNewerThan } from '../files/versions.server.ts'
import { isStamped } from '../stamp/stamp.sql.server.ts'
import type { LibraryKind, LibrarySort } from './filters.rules.ts'

/** What the member $1 may open; a refund under way or a dispute keeps it in the list. */
const OWN = `entitlements e JOIN order_lines ON order_lines.id = e.order_line_id
    JOIN orders ON orders.id = order_lines.order_id AND orders.status = 'completed'
  WHERE e.user_id = $1 AND e.revoked_at IS NULL`

const OPENED = `greatest((SELECT max(g.created_at) FROM download_grants g WHERE g.entitlement_id = e.id),
      (SELECT max(v.created_at) FROM delivery_events v WHERE v.entitlement_id = e.id))`

type Page = { json: string; total: number; next: string | null }
type LibraryQuery = [
  userId: string,
  sort: LibrarySort,
  kind: LibraryKind | null,
  words: string,
  isArchived: boolean,
  limit: number,
  after: string | null,
]

/** A page of the library. All that the member owns is ranked, so the page after a thing is the same once it is archived. */
export const readLibrary = statement<Page, LibraryQuery>(
  'library_read',
  `WITH own AS MATERIALIZED (
    SELECT e.file_id, e.archived_at, e.created_at AS bought_at, order_lines.id, order_lines.order_id, order_lines.title,
      order_lines.product_id, order_lines.bundle_title, order_lines.more_file_ids, order_lines.delivery, order_lines.quantity, ${OPENED} AS opened_at,
      (SELECT ${shownName('u', 'Primo seller')} FROM users u WHERE u.id = order_lines.seller_id) AS seller
    FROM ${OWN}),
  ranked AS (SELECT *, row_number() OVER (ORDER BY
      CASE WHEN $2 = 'title' THEN lower(title) END, CASE WHEN $2 = 'opened' THEN opened_at END DESC NULLS LAST,
      bought_at DESC, id) AS n FROM own),
  hits AS (SELECT * FROM ranked WHERE (archived_at IS NOT NULL) = $5::boolean AND ($3::text IS NULL OR delivery = $3)
    AND NOT EXISTS (SELECT FROM unnest(string_to_array(lower($4), ' ')) w WHERE strpos(lower(concat_ws(' ', title, bundle_title, seller)), w) = 0)),
  page AS (SELECT * FROM hits WHERE n > coalesce((SELECT n FROM ranked WHERE id = $7::uuid), 0) ORDER BY n LIMIT $6::int + 1),
  shown AS (SELECT * FROM page ORDER BY n LIMIT $6::int)
  SELECT coalesce(json_agg(json_build_object(
      'id', s.id, 'orderId', s.order_id, 'productId', s.product_id, 'title', s.title,
      'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'coverId', p.variant_of, 'bundle', s.bundle_title, 'seller', s.seller,
      'kind', s.delivery, 'quantity', CASE s.delivery WHEN 'code'
        THEN (SELECT count(*) FROM codes c WHERE c.order_line_id = s.id AND c.state = 'sold' AND c.gift_id IS NULL)
        ELSE s.quantity - coalesce(r.returned_quantity, 0) END,
      'boughtAt', ${isoOf('s.bought_at')}, 'openedAt', ${isoOf('s.opened_at')}, 'isArchived', s.archived_at IS NOT NULL,
      'closedBy', (SELECT CASE WHEN is_disputed THEN 'dispute' WHEN is_going_back THEN 'refund' END FROM line_standing WHERE order_line_id = s.id),
      'files', (SELECT json_build_object('name', (array_agg(f.file_name ORDER BY x.n))[1], 'count', count(*),
          'sizeBytes', sum(f.size_bytes)::bigint, 'hasNewer', bool_or(EXISTS (SELECT FROM product_files n WHERE ${isNewerThan('f')})))
        FROM unnest(s.file_id || s.more_file_ids) WITH ORDINALITY x (id, n) JOIN product_files f ON f.id = x.id HAVING count(*) > 0)
    ) ORDER BY s.n), '[]')::text AS json,
    (SELECT count(*)::int FROM hits) AS total,
    CASE WHEN (SELECT count(*) FROM page) > $6::int THEN (SELECT id FROM shown ORDER BY n DESC LIMIT 1) END AS next
  FROM shown s JOIN products p ON p.id = s.product_id
  JOIN orders ON orders.id = s.order_id JOIN order_lines ON order_lines.id = s.id
  LEFT JOIN earnings r ON r.order_line_id = s.id`,
)

export const readOwnedFiles = statement<{ json: string | null }, [userId: string, lineId: string]>(
  'library_files',
  `SELECT (SELECT json_agg(json_build_object('id', f.id, 'fileName', f.file_name, 'sizeBytes', f.size_bytes, 'sha256', f.sha256, 'isStamped', ${isStamped('f')},
      'newer', (SELECT json_build_object('id', n.id, 'fileName', n.file_name, 'sizeBytes', n.size_bytes, 'sha256', n.sha256,
          'note', n.note, 'addedAt', ${isoOf('n.created_at')})
        FROM product_files n WHERE ${isNewerThan('f')})) ORDER BY x.n)::text
    FROM unnest(e.file_id || order_lines.more_file_ids) WITH ORDINALITY x (id, n)
    JOIN product_files f ON f.id = x.id JOIN products p ON p.id = f.product_id) AS json
  FROM ${OWN} AND e.order_line_id = $2 AND EXISTS (SELECT FROM line_standing t WHERE t.order_line_id = order_lines.id AND NOT t.is_disputed AND NOT t.is_going_back)`,
)

export const setArchived = statement<{ id: string }, [userId: string, lineId: string, isArchived: boolean]>(
  'library_archive',
  `UPDATE entitlements SET archived_at = CASE WHEN $3::boolean THEN coalesce(archived_at, now()) END
  WHERE order_line_id = $2 AND user_id = $1 AND revoked_at IS NULL RETURNING id`,
)

export const readOpenLines = statement<{ id: string }, [userId: string, lineIds: string[]]>(
  'library_open',
  `SELECT order_lines.id FROM ${OWN} AND e.order_line_id = ANY ($2::uuid[]) AND EXISTS (SELECT FROM line_standing t WHERE t.order_line_id = order_lines.id AND NOT t.is_disputed AND NOT t.is_going_back)`,
)

export const readOwnedParts = statement<{ id: string }, [userId: string, bundleId: string]>(
  'library_owned_parts',
  `SELECT k.product_id AS id FROM bundle_parts k WHERE k.bundle_id = $2
    AND EXISTS (SELECT FROM entitlements e WHERE e.user_id = $1 AND e.product_id = k.product_id AND e.revoked_at IS NULL)
  ORDER BY k.position`,
)
