# SPDX-License-Identifier: BSD-2-Clause
ballast_property(plan_json plan_json.cpp ballast_report)
ballast_property(plan_forms plan_forms.cpp ballast_report)
ballast_script_test(plan/schema structure support/check_schema.py $<TARGET_FILE:property_plan_json>)
