DROP INDEX order_lines_title;
