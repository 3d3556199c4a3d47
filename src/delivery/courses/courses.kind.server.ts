import type { Kind } from '../kindOfGoods.server.ts'

/** Courses, which never run out. The entitlement alone opens the lessons, as they are at the moment. */
export const courses: Kind = {
  name: 'course',
  shown: `(SELECT json_build_object('kind', 'course', 'lessons', count(*), 'done', count(d.done_at))
    FROM course_parts c LEFT JOIN lesson_progress d ON d.lesson_id = c.id AND d.order_line_id = l.id AND d.user_id = e.user_id
    WHERE c.product_id = l.product_id AND NOT c.is_section AND c.deleted_at IS NULL)`,
}
