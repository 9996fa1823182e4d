import { expect, it } from "vitest";
import { sqlDestroys } from "./sql.ts";

it.each([
  ["DROP TABLE a", "DROP a"],
  ["drop  database if exists a", "dropped table a"],
  ["DROP/**/TABLE a", "-- drop table a"],
  ["drop/* a\nb */table c", "/* drop table c */ select 1"],
  ["drop -- now\ntable c", "-- drop table a\nselect 1"],
  ["/* a */ drop table b /* c */", "/* a */ select 1 /* drop table b */"],
  ["select 1; DELETE FROM a", "select deleted_from from a"],
  ["delete\n from a", "update a set x = 1"],
  ["TRUNCATE a", "select truncate(1.5, 0)"],
  ["truncate table a", "-- truncate a"],
  ['truncate "a"', "truncated a"],
  ["alter table a drop b", "alter table a add drop_date int"],
  ["alter table a.b drop column c", "alter table a rename to b"],
  ["drop materialized view a", "create view drop_view as select 1"],
  ["truncate  abc", "truncate -- table"],
  ["alter  table  abc  drop  x", "alter table drop_log add x int"],
  ["drop keyspace a", "insert into a values ('x')"],
])("[AE-02] %j destroys, %j does not", (destroys, harmless) => {
  expect([sqlDestroys(destroys), sqlDestroys(harmless)]).toEqual([true, false]);
});
