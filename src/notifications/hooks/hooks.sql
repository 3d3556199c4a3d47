-- @name queueTest
SELECT queue_hook(:id::uuid, 'test', :data::jsonb)::text AS queued;
